import { Module } from '@nestjs/common';
import { PropertiesModule } from '../properties/properties.module.js';
import { EditController } from './edit.controller.js';
import { EditService } from './edit.service.js';
import { TryService } from './try.service.js';

@Module({ imports: [PropertiesModule], controllers: [EditController], providers: [EditService, TryService] })
export class EditModule {}

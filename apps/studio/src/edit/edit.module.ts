import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { EditController } from './edit.controller.js';
import { EditService } from './edit.service.js';

@Module({ imports: [EnvironmentsModule], controllers: [EditController], providers: [EditService] })
export class EditModule {}

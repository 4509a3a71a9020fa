import { Body, Controller, Get, HttpCode, Inject, Param, Post, type StreamableFile } from '@nestjs/common';
import type { Committed } from '@waymark/domain/flows';
import { AskedBy } from '../access/asked-by.js';
import { AskedFrom, type Asker } from '../access/asker.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';
import { FlowParams } from '../flows/flow-params.dto.js';
import type { CommitPreview, Saved, Source, Tried, Vocabulary } from './edit-views.js';
import { CheckDto, CommitDto, SaveDto, TryDto } from './edit.dto.js';
import { EditService } from './edit.service.js';
import { TryService } from './try.service.js';

@Controller('api/:environment')
@ForViewers()
export class EditController {
  constructor(
    @Inject(EditService) private readonly edit: EditService,
    @Inject(TryService) private readonly trying: TryService,
  ) {}

  @Get('vocabulary')
  vocabulary(@Param() _params: EnvironmentParams): Vocabulary {
    return this.edit.vocabulary();
  }

  /** A text in the body may be long; nothing is changed. */
  @Post('check')
  @HttpCode(200)
  check(@Param() _params: EnvironmentParams, @Body() asked: CheckDto, @AskedFrom() asker: Asker): StreamableFile {
    return this.edit.check(asked, asker);
  }

  /** As `check`. */
  @Post('try')
  @HttpCode(200)
  try(@Param() params: EnvironmentParams, @Body() walk: TryDto, @AskedFrom() asker: Asker): Promise<Tried> {
    return this.trying.walk(params, walk, asker);
  }

  @Get('flows/:flow/source')
  source(@Param() { flow }: FlowParams): Promise<Source> {
    return this.edit.source(flow);
  }

  @Get('flows/:flow/preview')
  preview(@Param() params: FlowParams): Promise<CommitPreview> {
    return this.edit.preview(params);
  }

  @Post('flows')
  @ForEditors()
  @HttpCode(200)
  save(
    @Param() _params: EnvironmentParams,
    @Body() what: SaveDto,
    @AskedBy() by: string,
    @AskedFrom() asker: Asker,
  ): Promise<Saved> {
    return this.edit.save(what, { by }, asker);
  }

  @Post('flows/:flow/commit')
  @ForEditors()
  @HttpCode(200)
  commit(@Param() { flow }: FlowParams, @Body() words: CommitDto, @AskedBy() by: string): Promise<Committed> {
    return this.edit.commit(flow, words, { by });
  }

  @Post('flows/:flow/archive')
  @ForEditors()
  @HttpCode(204)
  archive(@Param() { flow }: FlowParams, @AskedBy() by: string): Promise<void> {
    return this.edit.archive(flow, { by });
  }
}

import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Param,
  Post,
  type StreamableFile,
} from '@nestjs/common';
import type { Committed } from '@waymark/domain/flows';
import { AuditName } from '../access/audit-name.js';
import { Turn, type RequestTurn } from '../access/request-turn.js';
import { ForEditors, ForViewers } from '../access/route-access.js';
import { EnvironmentParams } from '../environments/environment-params.dto.js';
import { FlowParams } from '../flows/flow-params.dto.js';
import type {
  CommitPreview,
  Saved,
  ShownBlocks,
  Source,
  TextShown,
  TryResult,
  Vocabulary,
} from './edit-views.js';
import { CheckDto, CommitDto, SaveDto, ShowDto, TextsDto, TryDto } from './edit.dto.js';
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
  check(
    @Param() _params: EnvironmentParams,
    @Body() asked: CheckDto,
    @Turn() turn: RequestTurn,
  ): StreamableFile {
    return this.edit.check(asked, turn);
  }

  /** As `check`. */
  @Post('try')
  @HttpCode(200)
  try(
    @Param() params: EnvironmentParams,
    @Body() walk: TryDto,
    @Turn() turn: RequestTurn,
  ): Promise<TryResult> {
    return this.trying.walk(params, walk, turn);
  }

  /** As `check`. */
  @Post('show')
  @HttpCode(200)
  show(
    @Param() _params: EnvironmentParams,
    @Body() which: ShowDto,
    @Turn() turn: RequestTurn,
  ): Promise<ShownBlocks> {
    return this.trying.show(which, turn);
  }

  /** As `check`. */
  @Post('texts')
  @HttpCode(200)
  texts(
    @Param() _params: EnvironmentParams,
    @Body() which: TextsDto,
    @Turn() turn: RequestTurn,
  ): Promise<TextShown[]> {
    return this.trying.texts(which, turn);
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
    @AuditName() by: string,
    @Turn() turn: RequestTurn,
  ): Promise<Saved> {
    return this.edit.save(what, { by }, turn);
  }

  @Post('flows/:flow/commit')
  @ForEditors()
  @HttpCode(200)
  commit(
    @Param() { flow }: FlowParams,
    @Body() words: CommitDto,
    @AuditName() by: string,
  ): Promise<Committed> {
    return this.edit.commit(flow, words, { by });
  }

  @Post('flows/:flow/archive')
  @ForEditors()
  @HttpCode(204)
  archive(@Param() { flow }: FlowParams, @AuditName() by: string): Promise<void> {
    return this.edit.archive(flow, { by });
  }
}

import { Injectable, StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { describeFlowTypes } from '@waymark/domain/flow-files';
import { flowText, loadFlowVersion } from '@waymark/domain/flows';
import { drawFlow } from '@waymark/picture';
import type { DataSource } from 'typeorm';

/** A version of a flow as files to take away. */
@Injectable()
export class FilesService {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** As it was written; JSON may be written too. */
  async source(flow: string, version = 0): Promise<StreamableFile> {
    const text = flowText(await loadFlowVersion(this.dataSource.manager, flow, version));
    return text.trimStart().startsWith('{')
      ? fileOf(text, `${flow}.json`, 'application/json')
      : fileOf(text, `${flow}.yaml`, 'application/yaml');
  }

  async picture(flow: string, version = 0): Promise<StreamableFile> {
    const { definition } = await loadFlowVersion(this.dataSource.manager, flow, version);
    return fileOf(drawFlow(definition, 'svg', { version }), `${flow}.svg`, 'image/svg+xml');
  }

  /** For applications that use the flow with @waymark/client. */
  async types(flow: string, version = 0): Promise<StreamableFile> {
    const { definition } = await loadFlowVersion(this.dataSource.manager, flow, version);
    return fileOf(describeFlowTypes([definition]), `${flow}.d.ts`, 'text/plain');
  }
}

function fileOf(text: string, name: string, type: string): StreamableFile {
  return new StreamableFile(Buffer.from(text), {
    type: `${type}; charset=utf-8`,
    disposition: `attachment; filename="${name}"`,
  });
}

import { createDataSource } from '@waymark/domain/schema';

/** A connected data source with settings fit for tests. */
export const connect = (url: string) =>
  createDataSource({
    url,
    poolSize: 5,
    applicationName: 'waymark-test',
    statementTimeoutMs: 0,
    connectTimeoutMs: 120_000,
    answerTimeoutMs: 0,
  }).initialize();

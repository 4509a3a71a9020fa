import { Initial1790000000000 } from './1790000000000-initial.js';
import { ResetRuns1790000000001 } from './1790000000001-reset-runs.js';
import { EffectQueues1790000000002 } from './1790000000002-effect-queues.js';
import { VerifiedUsers1790000000020 } from './1790000000020-verified-users.js';
import { EventPlace1790000000030 } from './1790000000030-event-place.js';
import { Endpoints1790000000031 } from './1790000000031-endpoints.js';
import { AuditLog1790000000040 } from './1790000000040-audit-log.js';
import { ResetRunsOnRecord1790000000041 } from './1790000000041-reset-runs-on-record.js';
import { PinsAndSources1790000000050 } from './1790000000050-pins-and-sources.js';
import { KeyUse1790000000051 } from './1790000000051-key-use.js';
import { EffectTrace1790000000060 } from './1790000000060-effect-trace.js';
import { EndedSessions1790000000070 } from './1790000000070-ended-sessions.js';
import { UserIdentifiers1790000000080 } from './1790000000080-user-identifiers.js';
import { KeyInBrowser1790000000090 } from './1790000000090-key-in-browser.js';
import { EngineLevel1790000000100 } from './1790000000100-engine-level.js';
import { Attention1790000000110 } from './1790000000110-attention.js';
import { Answers1790000000120 } from './1790000000120-answers.js';
import { UserEvents1790000000130 } from './1790000000130-user-events.js';
import { Segments1790000000140 } from './1790000000140-segments.js';
import { Delays1790000000150 } from './1790000000150-delays.js';
import { Releases1790000000160 } from './1790000000160-releases.js';

/** Every migration in order, listed by hand; one that was released is never edited. */
export const MIGRATIONS = [
  Initial1790000000000,
  ResetRuns1790000000001,
  EffectQueues1790000000002,
  VerifiedUsers1790000000020,
  EventPlace1790000000030,
  Endpoints1790000000031,
  AuditLog1790000000040,
  ResetRunsOnRecord1790000000041,
  PinsAndSources1790000000050,
  KeyUse1790000000051,
  EffectTrace1790000000060,
  EndedSessions1790000000070,
  UserIdentifiers1790000000080,
  KeyInBrowser1790000000090,
  EngineLevel1790000000100,
  Attention1790000000110,
  Answers1790000000120,
  UserEvents1790000000130,
  Segments1790000000140,
  Delays1790000000150,
  Releases1790000000160,
];

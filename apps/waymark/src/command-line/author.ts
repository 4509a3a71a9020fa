import { userInfo } from 'node:os';
import type { Author } from '@waymark/domain/database/audit';
import type { Settings } from '../config/settings.js';

/**
 * Who the audit log says has changed something: `--by`, else WAYMARK_BY, else the account that runs
 * the command (I7).
 */
export function findAuthor({ by, reason, client }: Partial<Author>, settings: Settings): Author {
  return {
    by: by ?? settings.by ?? accountName(),
    ...(reason !== undefined && { reason }),
    ...(client !== undefined && { client }),
  };
}

/** An account need not have a name: in a container it may be nothing but a number. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

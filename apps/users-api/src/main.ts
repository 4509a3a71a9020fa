import { runService } from '@waymark/service-kit/bootstrap';
import { USERS_API } from './service.js';

await runService(USERS_API);

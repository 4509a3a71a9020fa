import { runService } from '@waymark/service-kit/bootstrap';
import { BLOCKS_API } from './service.js';

await runService(BLOCKS_API);

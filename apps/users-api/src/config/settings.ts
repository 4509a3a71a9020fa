import { Port, ServiceSettings } from '@waymark/service-kit/config';

/** Every setting of the users API. */
export class UsersSettings extends ServiceSettings {
  @Port(7070)
  override readonly port!: number;
}

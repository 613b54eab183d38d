import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { valuesOf } from '../objects/content.ts'
import type { LockoutSettings } from './failed-logins.ts'

const minuteMs = 60_000

/** What the system object says about access, as it is now. */
export class SystemSettings {
  readonly #configuration: LiveConfiguration

  constructor(configuration: LiveConfiguration) {
    this.#configuration = configuration
  }

  /** How long a token is valid: section "Web Interface", in minutes there. Never so short that nobody gets in. */
  get sessionLengthMs(): number {
    return Math.max(1, this.#number('web-interface', 'http-session-length')) * minuteMs
  }

  /** Section "Account Lockout Settings", in minutes there. */
  get lockout(): LockoutSettings {
    const section = 'account-lockout-settings'
    return {
      failuresMax: this.#number(section, 'maximum-failed-login-attempts'),
      windowMs: this.#number(section, 'failed-login-time-threshold') * minuteMs,
      lockedMs: this.#number(section, 'lockout-duration') * minuteMs,
    }
  }

  #number(section: string, field: string): number {
    return Number(valuesOf(this.#configuration.system().content, section)[field])
  }
}

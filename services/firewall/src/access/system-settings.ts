import type { LiveConfiguration } from '../changes/live-configuration.ts'
import { valuesOf } from '../objects/content.ts'
import type { LockoutSettings } from './failure-counts.ts'

const minuteMs = 60_000

/** Longer times mean as much, and their ends would be numbers that no store keeps exactly. */
const longestMs = 10 * 365 * 24 * 60 * minuteMs

/** What the system object says about access, as it is now. */
export class SystemSettings {
  readonly #configuration: LiveConfiguration

  constructor(configuration: LiveConfiguration) {
    this.#configuration = configuration
  }

  /** How long a token is valid: section "Web Interface", in minutes there. Never so short that nobody gets in. */
  get sessionLengthMs(): number {
    return Math.max(minuteMs, this.#durationMs('web-interface', 'http-session-length'))
  }

  /** Section "Account Lockout Settings", in minutes there. */
  get lockout(): LockoutSettings {
    const section = 'account-lockout-settings'
    return {
      failuresMax: this.#number(section, 'maximum-failed-login-attempts'),
      windowMs: this.#durationMs(section, 'failed-login-time-threshold'),
      lockedMs: this.#durationMs(section, 'lockout-duration'),
    }
  }

  #durationMs(section: string, field: string): number {
    return Math.min(longestMs, this.#number(section, field) * minuteMs)
  }

  #number(section: string, field: string): number {
    return Number(valuesOf(this.#configuration.system().content, section)[field])
  }
}

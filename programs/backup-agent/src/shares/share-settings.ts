import type { CredentialsSeal } from '../state/credentials-seal.ts'

/** How this agent gets at shares. */
export interface ShareSettings {
  readonly platform: NodeJS.Platform
  /** Where servers listen; 445 unless given. */
  readonly port: number | undefined
  /** Temporary files may lie here, for the owner alone; it is emptied when the agent starts. */
  readonly workDirectory: string
  /** Keeps credentials in the journal while a restore needs them. */
  readonly seal: CredentialsSeal
}

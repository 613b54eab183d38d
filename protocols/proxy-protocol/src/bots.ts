import type { SnapshotPlace } from './policy.ts'
import type { SnapshotKey } from './rewriting.ts'
import type { SnapshotBotSettings, SnapshotScrapingSettings } from './settings.generated.ts'

/** What is done about programs that read a site. */
export interface SnapshotBots {
  /** With which traps are made. Never empty. */
  readonly keys: readonly SnapshotKey[]
  /** Bots in whose name nobody else may come; empty where that is not looked at. */
  readonly crawlers: readonly SnapshotBot[]
  /** Where traps are set; most specific first. */
  readonly policies: readonly SnapshotScrapingPolicy[]
}

/** A bot that is welcome once it has proved who it is. */
export interface SnapshotBot extends SnapshotBotSettings {
  readonly name: string
}

/** Traps for programs that copy the site at some URLs. */
export interface SnapshotScrapingPolicy extends SnapshotPlace, SnapshotScrapingSettings {
  readonly name: string
  /** Bots that may fall into them. */
  readonly welcome: readonly SnapshotBot[]
}

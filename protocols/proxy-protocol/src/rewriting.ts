import type { SnapshotPlace } from './policy.ts'
import type {
  SnapshotBodyRewrite,
  SnapshotHeadRewrite,
  SnapshotUrlEncryptionSettings,
} from './settings.generated.ts'

/** A secret that all proxies of an installation share. */
export interface SnapshotKey {
  /** Tells keys apart: 0 to 255. */
  readonly id: number
  /** 32 bytes in base64url. */
  readonly secret: string
}

/** How links are encrypted, so that nobody reaches what no page has offered. */
export interface SnapshotUrlEncryption {
  /** The first encrypts, all decrypt. Never empty. */
  readonly keys: readonly SnapshotKey[]
  /** The first that fits a request is the one that counts. */
  readonly rules: readonly SnapshotUrlEncryptionRule[]
}

/** Which requests and pages URL encryption is for. */
export interface SnapshotUrlEncryptionRule extends SnapshotUrlEncryptionSettings {
  readonly name: string
}

/** What is changed on the way between clients and servers. Rules are in the order in which they are applied. */
export interface SnapshotRewriting {
  readonly requests: readonly SnapshotRequestRewrite[]
  readonly responses: readonly SnapshotResponseRewrite[]
  readonly bodies: readonly SnapshotBodyRewrite[]
  readonly translations: readonly SnapshotTranslation[]
  /** Hosts whose links lead to HTTPS, with or without a port; `*` stands for any characters. */
  readonly secureHosts: readonly string[]
  /** What answers say about being shown inside other pages. */
  readonly frames?: SnapshotFrames
  /** Content Security Policies, by address. In the order in which they are tried. */
  readonly contentSecurity?: readonly SnapshotContentSecurityRule[]
}

/** What browsers are told about the parts of pages: values of `Content-Security-Policy`, and of the header that has them reported only. */
export interface SnapshotContentSecurityRule extends SnapshotPlace {
  readonly blocking: readonly string[]
  readonly reporting: readonly string[]
}

/** A change to the head of a request, `oldValue` and `newValue` as `SnapshotHeaderChange` has them. */
export type SnapshotRequestRewrite = SnapshotHeaderChange | SnapshotUrlChange

/** A change to the head of an answer. */
export type SnapshotResponseRewrite = SnapshotHeaderChange

/** A header that is inserted, removed or rewritten. */
export interface SnapshotHeaderChange extends SnapshotHeadRewrite {
  readonly does: 'insert-header' | 'remove-header' | 'rewrite-header'
  readonly header: string
}

/** `rewrite-url` asks the server for another address, `redirect-url` sends the client there. */
export interface SnapshotUrlChange extends SnapshotHeadRewrite {
  readonly does: 'rewrite-url' | 'redirect-url'
}

/** A part of the application as clients and as servers know it. */
export interface SnapshotTranslation {
  /** A host, with or without a port, and the beginning of a path. */
  readonly inside: { readonly host: string; readonly prefix: string }
  readonly outside: { readonly host: string; readonly prefix: string }
}

/** `never` by any page, `same-origin` by those of the same, `origin` by those of the one that is named. */
export interface SnapshotFrames {
  readonly by: 'never' | 'same-origin' | 'origin'
  readonly origin?: string
}

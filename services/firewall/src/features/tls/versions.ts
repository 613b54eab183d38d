import type { SnapshotTls } from '@palisade/proxy-protocol'
import { isOn } from '../../kinds/conversions.ts'

/** Which versions are spoken, for readers of services and servers. Older ones are switched off in the TLS library of our days. */
export const versionMembers = {
  speaksTls12: ['enable-tls-1-2', isOn],
  speaksTls13: ['enable-tls-1-3', isOn],
} as const

/** The oldest and the newest version that is spoken; undefined where none is. */
export function versionRange(speaks: {
  readonly speaksTls12: boolean
  readonly speaksTls13: boolean
}): Pick<SnapshotTls, 'oldestVersion' | 'newestVersion'> | undefined {
  if (!speaks.speaksTls12 && !speaks.speaksTls13) return undefined
  return {
    oldestVersion: speaks.speaksTls12 ? 'TLSv1.2' : 'TLSv1.3',
    newestVersion: speaks.speaksTls13 ? 'TLSv1.3' : 'TLSv1.2',
  }
}

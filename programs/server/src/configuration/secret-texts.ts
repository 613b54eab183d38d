import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isSecretMember, withoutSecrets } from '@palisade/log'

/** Shorter ones occur in ordinary words: to hide them would tell more than it hides. */
const lengthMin = 4

/** Before the last "@", or as a parameter, as addresses of PostgreSQL may have it. */
const passwordInAddress =
  /(?<=^[a-z][a-z0-9+.-]*:\/\/[^/:\s]*:)\S+(?=@)|(?<=^[a-z][a-z0-9+.-]*:\/\/\S*[?&](?:ssl)?password=)[^&#\s]+/gi

/** What stands behind the host of a webhook, the only member called `url`: many receivers take messages from whoever knows it. */
const behindHost = /(?<=^https?:\/\/[^/?#\s]+[/?])\S+/gi

/** Keys, passphrases and secrets are small; what is larger is something else. */
const keyFileMax = 64 * 1024

/** Members that name a file with a secret in it, such as `keyFile`, `passphraseFile` and `clientSecretFile`. */
const keyFileMember = /(?:key|passphrase|secret|password)File$/i

const hidden = '[redacted]'

/** A copy of a configuration without its secrets: members that hold one, and passwords in addresses. */
export function shownConfiguration(configuration: unknown): unknown {
  const text = JSON.stringify(withoutSecrets(configuration), (name, value: unknown) =>
    typeof value === 'string'
      ? secretParts(name).reduce((rest, part) => rest.replace(part, hidden), value)
      : value,
  )
  return JSON.parse(text)
}

/** All secrets of a configuration, as they stand in it. */
export function secretsOf(configuration: unknown): string[] {
  return secretsIn('', configuration)
}

function secretsIn(name: string, value: unknown): string[] {
  if (typeof value === 'string') {
    return isSecretMember(name) ? [value] : secretParts(name).flatMap((part) => value.match(part) ?? [])
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([inner, member]) => secretsIn(inner, member))
}

/** Where secrets stand in a member that is none as a whole. */
function secretParts(name: string): readonly RegExp[] {
  return name === 'url' ? [passwordInAddress, behindHost] : [passwordInAddress]
}

/** What key files hold, in the forms in which it may be written; nothing of those that cannot be read. */
export function secretsInFiles(files: readonly string[]): string[] {
  return files.flatMap((file) => {
    try {
      if (statSync(file).size > keyFileMax) return []
      const content = readFileSync(file)
      const encoded = (['hex', 'base64', 'base64url'] as const).map((encoding) => content.toString(encoding))
      return [content.toString('utf8').trim(), ...encoded]
    } catch {
      return []
    }
  })
}

/** The files of a data directory that hold keys, and those that a configuration names. */
export function keyFilesOf(dataDirectory: string, configuration: unknown): string[] {
  const own = namesIn(dataDirectory).flatMap((name) =>
    /\.(?:key|pem)$/.test(name) ? [join(dataDirectory, name)] : [],
  )
  return [...own, ...namedKeyFiles(configuration)]
}

function namedKeyFiles(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' && keyFileMember.test(name) ? [inner] : namedKeyFiles(inner),
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** A text in which none of the secrets stands any more, in whatever way nobody thought of it came there. */
export function withoutTexts(text: string, secrets: readonly string[]): string {
  const forms = new Set(
    secrets
      .filter((secret) => secret.length >= lengthMin)
      // As it stands in JSON, too.
      .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
  )
  return [...forms]
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, form) => rest.replaceAll(form, hidden), text)
}

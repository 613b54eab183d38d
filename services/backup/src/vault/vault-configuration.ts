import { type Problem, problemAt, refuseProblems } from '@palisade/platform'
import { type Static, Type } from 'typebox'

const text = (description: string, more: { readonly examples?: readonly string[] } = {}) =>
  Type.Optional(Type.String({ minLength: 1, description, ...more }))

/** Where the vault lies and what opens it, as the configuration file says. */
export const VaultConfigurationSchema = Type.Object(
  {
    directory: text('A folder of this machine; "vault" in the data directory unless given.'),
    s3: Type.Optional(
      Type.Object(
        {
          bucket: Type.String({ minLength: 1, description: 'The name of the bucket.' }),
          prefix: Type.String({
            default: 'palisade/',
            description: 'Begins the names of all objects of the vault, and of nothing else.',
          }),
          endpoint: text("https://host or https://host:port; Amazon's when left out.", {
            examples: ['https://s3.example.org'],
          }),
          caFile: text(
            "Authorities in PEM that the endpoint's certificate may be of, besides the usual ones.",
          ),
          region: text('The region of the bucket.'),
          pathStyle: Type.Optional(
            Type.Boolean({
              description:
                "Whether the bucket is a part of the path rather than of the host's name; with an endpoint unless given.",
            }),
          ),
          accessKeyId: text(
            'Without it the client library looks where it always does: its own variables, profiles, the role of the machine.',
          ),
          secretAccessKey: text('What belongs to accessKeyId.'),
          sessionToken: text('What belongs to accessKeyId where it is one of a session.'),
        },
        {
          additionalProperties: false,
          description: 'A bucket of S3-compatible storage, in the place of a folder. It has to exist.',
        },
      ),
    ),
    keyFile: text('32 bytes; "vault.key" in the data directory unless given, made at the first start.'),
    passphraseFile: text('A file whose first line is a passphrase, in the place of a key file.'),
  },
  { additionalProperties: false, description: 'Where the vault lies, and what opens it.' },
)

export type VaultConfiguration = Static<typeof VaultConfigurationSchema>

/**
 * Checks what the schema cannot say.
 *
 * @throws ConfigurationProblems naming each member at fault
 */
export function checkVaultConfiguration(configuration: VaultConfiguration): void {
  refuseProblems('backup', problemsOfVault(configuration))
}

/** What the schema cannot say is wrong: members that exclude or need each other. */
export function problemsOfVault({ directory, s3, keyFile, passphraseFile }: VaultConfiguration): Problem[] {
  return [
    ...(directory !== undefined && s3 ? [problemOf('s3', 'cannot be given together with directory')] : []),
    ...(keyFile !== undefined && passphraseFile !== undefined
      ? [problemOf('passphraseFile', 'cannot be given together with keyFile')]
      : []),
    ...(s3 ? problemsOfBucket(s3) : []),
  ]
}

function problemsOfBucket(s3: NonNullable<VaultConfiguration['s3']>): Problem[] {
  const { bucket, prefix, endpoint, accessKeyId, secretAccessKey, sessionToken } = s3
  return [
    ...(/^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/.test(bucket)
      ? []
      : [problemOf('s3.bucket', 'must be a name of 3 to 63 letters, digits, dots and hyphens')]),
    ...(/^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/.test(prefix)
      ? []
      : [
          problemOf(
            's3.prefix',
            'must be empty or end in a slash, and have only letters, digits, dots, hyphens and underscores beside',
          ),
        ]),
    ...(endpoint === undefined || isPlainAddress(endpoint)
      ? []
      : [
          problemOf('s3.endpoint', 'must be an address like https://host:port, without user, path and query'),
        ]),
    ...((accessKeyId === undefined) === (secretAccessKey === undefined)
      ? []
      : [
          problemOf(
            `s3.${accessKeyId === undefined ? 'accessKeyId' : 'secretAccessKey'}`,
            'is missing beside the other one',
          ),
        ]),
    ...(sessionToken !== undefined && accessKeyId === undefined
      ? [problemOf('s3.sessionToken', 'needs accessKeyId and secretAccessKey')]
      : []),
  ]
}

/** @param member of the vault, such as "s3.bucket" */
function problemOf(member: string, says: string): Problem {
  return problemAt(['backup', 'vault', ...member.split('.')], says)
}

function isPlainAddress(endpoint: string): boolean {
  const url = URL.parse(endpoint)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false
  return url.username + url.password + url.search + url.hash === '' && url.pathname === '/'
}

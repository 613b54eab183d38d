import type { ServiceContract } from '@palisade/platform'
import { Type } from 'typebox'
import type { CompiledCatalogue } from '../kinds/compiled-kind.ts'
import { logTypes } from '../logs/log-types.ts'

/** The tags of operations that belong to no kind and to no log. */
const furtherTags = {
  Session: 'Tokens, which every other operation asks for.',
  Statistics: 'What the traffic and the machine count.',
  Certificates: 'Certificates of all kinds, as older clients know them.',
  Backups: 'Backups of the configuration.',
  'Energize Updates': 'Definitions, which come with releases of this system.',
  'Export JSON Configuration': 'The configuration as a document.',
  'Import JSON Configuration': 'The configuration from a document, and what became of that.',
  'Import Open API Configuration': 'Profiles from the description of an API.',
  'JSON Configuration Checkpoints': 'States of the configuration that are kept.',
  'Locked out Clients': 'Clients that services do not serve for a while.',
  'Stored Traffic': 'What services store of their requests, and what another configuration would make of it.',
}

const RefusalReason = Type.Object(
  {
    status: Type.String({ description: 'HTTP status code' }),
    type: Type.String(),
    msg: Type.String(),
  },
  { title: 'RefusalReason' },
)

const Refusal = Type.Object(
  {
    msg: Type.String(),
    error: RefusalReason,
    errors: RefusalReason,
    token: Type.Optional(Type.String({ description: 'there when the request was authenticated' })),
  },
  { title: 'Refusal', description: '`errors` repeats `error`.' },
)

/** What the OpenAPI document says beside the addresses of the kinds, of the logs and of the special operations. */
export function firewallContract(catalogue: CompiledCatalogue): ServiceContract {
  const kinds = Array.from(catalogue.values(), ({ title, description }) => [title, description] as const)
  const logs = Object.values(logTypes).map(({ title, description }) => [title, description] as const)
  return {
    description:
      'The management of a web application firewall. Each reply carries a fresh token, with which the next request is made.',
    tags: { ...furtherTags, ...Object.fromEntries(logs), ...Object.fromEntries(kinds) },
    securitySchemes: {
      token: {
        type: 'http',
        scheme: 'basic',
        description: 'The token of a login, or of any later reply, as user name; the password stays empty.',
      },
    },
    refusal: Refusal,
  }
}

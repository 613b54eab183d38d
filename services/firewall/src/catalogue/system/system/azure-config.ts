import type { Section } from '../../../kinds/kind.ts'

const name = { type: 'string', lengthMax: 255 } as const
const secret = { type: 'string', lengthMax: 1024, writeOnly: true } as const

/** Which members matter depends on `login-choice`. */
export const azureConfig = {
  title: 'Azure Configuration',
  description: 'How the system logs in to Azure, and what it uses there.',
  fields: {
    'ad-client-id': name,
    'azure-cloud-type': {
      type: 'choice',
      values: ['Azure China Cloud', 'Azure German Cloud', 'Azure Public Cloud', 'Azure US Gov. Cloud'],
    },
    'azure-vmsss-name': { ...name, description: 'The scale set of virtual machines of which it is one.' },
    'bootstrap-file-name': { ...name, description: 'The file from which a new machine is configured.' },
    'client-id': name,
    'config-lan-ip': {
      type: 'yes-no',
      description: 'Whether the addresses of services are added to the LAN interface in Azure.',
    },
    'load-balancer-name': name,
    'login-choice': {
      type: 'choice',
      values: ['AD User/Password', 'Azure Managed Identity', 'Service Principal'],
      default: 'AD User/Password',
    },
    'managed-identity-client-id': name,
    'resource-group': name,
    'secret-key': secret,
    'storage-account': name,
    'storage-account-key': secret,
    'storage-blob-name': { type: 'string', lengthMax: 1024 },
    'subscription-id': name,
    'tenant-id': name,
    'user-id': name,
    'user-password': secret,
  },
} as const satisfies Section

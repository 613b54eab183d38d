export { serveCommand } from './main.ts'
export { vaultCommand } from './vault/vault-command.ts'

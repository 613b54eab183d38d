import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { test } from 'node:test'
import { importsIn } from './support/repository/imports.ts'
import { root } from './support/repository/root.ts'

/**
 * The floors of a package, from the top down. What stands on a floor are folders and files right in `src`; each imports only what
 * is on floors below its own, types included. Tests and what is in `testing` folders may import anything.
 */
type Floors = readonly (readonly string[])[]

const floorsOf: Readonly<Record<string, Floors>> = {
  // Drawn in the "Map" of its README.
  'programs/backup-agent': [
    ['index.ts'],
    ['command.ts'],
    ['agent'],
    ['machine', 'backup', 'compare', 'serving'],
    ['restore', 'instant', 'tracking'],
    ['tasks', 'disk-layout'],
    ['end-to-end', 'workers', 'destinations'],
    ['sessions', 'shares', 'hosts', 'volumes'],
    ['server', 'system-calls', 'file-systems'],
    ['state', 'chunks', 'identity.ts'],
    ['failure.ts', 'json.ts', 'backoff.ts'],
  ],
  // Drawn in the "Map" of its README.
  'programs/firewall-proxy': [
    ['index.ts'],
    ['command.ts'],
    ['proxy.ts'],
    ['workers', 'trials'],
    ['serving', 'management'],
    ['traffic', 'configuration.ts', 'stored-traffic'],
    ['judging', 'rule-configuration.ts'],
    ['filters', 'configuration-members.ts'],
    ['servers', 'second-opinions', 'logs'],
    ['html'],
    ['rate-control', 'conditions'],
    ['policy', 'paths'],
    ['patterns', 'inspection', 'slow-clients', 'address-data', 'credentials', 'revocation'],
    [
      'exchange',
      'failure.ts',
      'event-loop-turn.ts',
      'swap-remove-list.ts',
      'stop-deadline.ts',
      'regularly.ts',
    ],
  ],
  'libraries/vault': [
    ['index.ts'],
    ['vault', 'retention'],
    ['pack', 'chunks.ts'],
    ['verify'],
    ['revision'],
    ['chunk-index', 'record.ts', 'in-parallel.ts', 'yield-to-event-loop.ts'],
    ['chunk'],
    ['keys'],
    ['storage'],
    ['direct-io', 'failure.ts', 'object-names.ts'],
  ],
  // Drawn in the "Map" of its README, as those of the other services.
  'services/backup': [
    ['index.ts'],
    ['service.ts', 'standby'],
    ['routes.ts'],
    ['assemble.ts'],
    ['contract.ts', 'agent-routes'],
    ['administration', 'rest'],
    ['upkeep'],
    ['proofs'],
    ['sets'],
    ['machines'],
    ['restore'],
    ['agents'],
    ['revisions', 'hosts'],
    ['tasks'],
    ['computers', 'actions', 'metrics'],
    ['check-configuration.ts'],
    ['configuration.ts', 'timers.ts', 'migrations.ts'],
    ['vault', 'tables.ts', 'schedule', 'given-source.ts', 'system-volume.ts'],
    [
      'computer-id.ts',
      'envelope.ts',
      'part.ts',
      'revision-origin.ts',
      'scopes.ts',
      'single-line.ts',
      'stored-json.ts',
    ],
  ],
  'services/email': [
    ['index.ts'],
    ['service.ts'],
    ['administration'],
    ['statistics'],
    ['rest'],
    ['accounts.ts'],
    ['verification'],
    ['migrations.ts'],
    ['tables.ts', 'check-configuration.ts'],
    ['configuration.ts', 'contract.ts', 'paging.ts'],
    ['dns', 'query-parameters.ts', 'scopes.ts'],
  ],
  'services/administration': [
    ['test-service.ts'],
    ['index.ts'],
    ['service.ts'],
    ['attention', 'audit', 'contract.ts', 'system-routes.ts'],
    ['notifications', 'resources', 'openid', 'passkeys'],
    ['authentication'],
    ['operators'],
    ['check-configuration.ts'],
    ['configuration.ts'],
    ['notification-configuration.ts', 'sign-in-configuration.ts'],
    ['access'],
    ['sessions'],
    ['tables.ts', 'migrations.ts'],
  ],
  'services/awareness': [
    ['test-service.ts'],
    ['index.ts'],
    ['service.ts'],
    ['administration'],
    ['routes.ts'],
    ['session.ts'],
    ['authentication.ts'],
    ['presented-token.ts', 'shared-calls.ts', 'unknown-users.ts', 'contract.ts', 'check-configuration.ts'],
    ['users.ts', 'api-keys.ts', 'tokens.ts', 'hourly-calls.ts', 'envelope.ts'],
    ['campaigns.ts', 'refusals.ts', 'migrations.ts'],
    ['tables.ts', 'configuration.ts', 'address-list.ts', 'timestamp.ts'],
  ],
  'libraries/platform': [
    ['index.ts'],
    ['oauth', 'service-foundation.ts'],
    ['secrets', 'configuration-problems.ts'],
    ['http'],
    [
      'administration',
      'audit',
      'openapi',
      'metrics.ts',
      'data-directory.ts',
      'repeated-indexes.ts',
      'sliding-window.ts',
      'job-runner.ts',
      'aging-clock.ts',
    ],
    ['database', 'refusal.ts', 'duration-histogram.ts', 'clock.ts', 'lazy-validator.ts', 'syslog-message.ts'],
  ],
  // Drawn in the "Map" of its README.
  'services/firewall': [
    ['index.ts'],
    ['service.ts'],
    ['operations', 'check-configuration.ts'],
    ['transfer', 'publishing', 'issuance'],
    ['rest'],
    ['behaviours', 'openapi'],
    ['access', 'log-export', 'catalogue', 'exceptions'],
    ['changes', 'features'],
    ['logs', 'objects', 'learning', 'stored-traffic', 'system-facts.ts'],
    [
      'kinds',
      'certificates',
      'acme',
      'tables.ts',
      'migrations.ts',
      'failure.ts',
      'configuration.ts',
      'waiting-requests.ts',
    ],
  ],
  // Listed from the bottom up in the README.
  'libraries/seclang': [
    ['index.ts'],
    ['rule-set.ts'],
    ['compile'],
    ['actions'],
    ['engine'],
    ['variables'],
    ['inspection'],
    ['collections', 'request'],
    ['content'],
    ['readings'],
    ['language', 'bodies', 'libinjection'],
    ['matching'],
  ],
  'libraries/virtual-disk': [
    ['index.ts', 'places.ts', 'command'],
    ['write'],
    ['check', 'plan'],
    ['read'],
    ['vhd', 'vhdx'],
    ['disk'],
    ['partitions'],
    ['compose-source.ts', 'overlay-source.ts', 'zero.ts'],
    ['byte-source.ts', 'extent.ts', 'guid.ts'],
    ['failure.ts', 'finding.ts', 'settle-all.ts', 'crc32c.ts'],
  ],
  'programs/server': [
    ['index.ts'],
    ['main.ts'],
    ['first-steps.ts'],
    ['serve.ts'],
    ['support', 'proxy-process.ts', 'config-command.ts', 'observe-server.ts'],
    ['reload', 'open-data.ts', 'create-services.ts'],
    ['backup-servers', 'first-start.ts', 'listeners.ts', 'operations.ts', 'rules', 'vault'],
    ['closed-ports.ts', 'database-record.ts', 'help.ts'],
    [
      'aging-clock-record.ts',
      'attention.ts',
      'challenge-listener.ts',
      'closing-steps.ts',
      'configuration',
      'console.ts',
      'installation.ts',
      'own-endpoints.ts',
      'system-state.ts',
    ],
  ],
  // Drawn in the "Map" of its README.
  'clients/cli': [
    ['index.ts'],
    ['main.ts'],
    ['administration', 'backup', 'firewall', 'services', 'any-call.ts', 'completion.ts'],
    ['resources'],
    ['login'],
    ['connection.ts', 'wrong-command-line.ts'],
    ['api-command.ts', 'operations.ts', 'profiles.ts', 'input-file.ts', 'suggestions.ts'],
    ['exit-status.ts', 'readable.ts'],
    ['output.ts'],
  ],
  'clients/sdk': [
    ['index.ts'],
    [
      'operator-login.ts',
      'pages.ts',
      'wait-for-task.ts',
      'machine-request.ts',
      'enrolment-command.ts',
      'own-certificate.ts',
    ],
    ['clients.ts'],
    ['transport.ts', 'firewall-kinds.ts', 'firewall-logs.ts', 'shell-word.ts'],
    ['authorisation.ts', 'admin-resources.generated.ts', 'contract-document.ts'],
    [
      'administered-resource.ts',
      'errors.ts',
      'admin.generated.ts',
      'awareness.generated.ts',
      'backup.generated.ts',
      'email.generated.ts',
      'firewall.generated.ts',
    ],
  ],
}

/** Tests, and what they share, may import anything. */
const ofTests = /\.test\.ts$|\/testing\//

/** The folder or file right in `src` that a file of a package belongs to. */
function entryOf(file: string, folder: string): string {
  return relative(join(folder, 'src'), file).split('/')[0] ?? file
}

for (const [folder, floors] of Object.entries(floorsOf)) {
  test(`each folder of ${folder} imports only what is on the floors below it`, () => {
    const imports = new Map([...importsIn(folder)].filter(([file]) => !ofTests.test(file)))
    const floorOf = new Map(floors.flatMap((entries, floor) => entries.map((entry) => [entry, floor])))
    const entries = new Set(Array.from(imports.keys(), (file) => entryOf(file, folder)))
    assert.deepEqual([...floorOf.keys()].sort(), [...entries].sort())
    const upward: string[] = []
    for (const [file, others] of imports) {
      for (const other of others.filter((one) => !ofTests.test(one))) {
        const [from, to] = [entryOf(file, folder), entryOf(other, folder)]
        if (from !== to && (floorOf.get(from) ?? 0) >= (floorOf.get(to) ?? 0))
          upward.push(`${file} imports ${other}`)
      }
    }
    assert.deepEqual(upward, [])
  })
}

test('the README of seclang lists its folders from the lowest floor up', () => {
  const folder = 'libraries/seclang'
  const readme = readFileSync(join(root, folder, 'README.md'), 'utf8')
  const listed = [...readme.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, name = '']) => name)
  const floors = floorsOf[folder] ?? []
  const folders = floors.flat().filter((entry) => !entry.includes('.'))
  assert.deepEqual(listed.filter((name) => name !== 'testing').sort(), folders.sort())
  const heights = listed.map((name) => floors.findIndex((floor) => floor.includes(name)))
  assert.deepEqual(
    heights,
    heights.toSorted((one, other) => other - one),
  )
})

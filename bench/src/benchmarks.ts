import { administrationPages } from './administration-pages.ts'
import { carriedChanges } from './carried-changes.ts'
import type { Extent } from './extent.ts'
import { firewallTraffic } from './firewall-traffic.ts'
import { machineRestore } from './machine-restore.ts'
import { managementApi } from './management-api.ts'
import { memoryAtSize } from './memory-at-size.ts'
import type { DebianPackage } from './packages.ts'
import { rulesAlone } from './rules-alone.ts'
import { servicesListing } from './services-listing.ts'
import { severalServers } from './several-servers.ts'
import { slowBucket } from './slow-bucket.ts'
import { standbyUploads } from './standby-uploads.ts'
import { tenThousandServices } from './ten-thousand-services.ts'
import { vaultPeers } from './vault-peers.ts'
import { volumeRestore } from './volume-restore.ts'

/** Our code beside its peers. */
export interface Benchmark {
  /** What has to be installed: the peers, and what loads them and us. */
  readonly packages: readonly DebianPackage[]
  /** Prints tables of medians and ratios; rejects when something does not run as it should. */
  run(extent: Extent): Promise<void>
}

/** Every benchmark, by the name that the command line takes. */
export const benchmarks = {
  listing: { packages: ['wrk'], run: servicesListing },
  management: { packages: ['wrk'], run: managementApi },
  scale: { packages: ['wrk'], run: tenThousandServices },
  'carried-changes': { packages: [], run: carriedChanges },
  'several-servers': { packages: [], run: severalServers },
  restore: { packages: ['qemu-utils'], run: volumeRestore },
  rules: { packages: ['libmodsecurity3', 'modsecurity-crs'], run: rulesAlone },
  traffic: {
    packages: ['wrk', 'nginx-light', 'libnginx-mod-http-modsecurity', 'modsecurity-crs', 'caddy'],
    run: firewallTraffic,
  },
  vault: { packages: ['restic', 'borgbackup', 'qemu-utils', 'xfsprogs'], run: vaultPeers },
  bucket: { packages: ['restic'], run: slowBucket },
  'standby-uploads': { packages: [], run: standbyUploads },
  memory: { packages: [], run: memoryAtSize },
  administration: { packages: [], run: administrationPages },
  machine: { packages: ['gdisk', 'qemu-system-x86', 'qemu-utils', 'ovmf'], run: machineRestore },
} as const satisfies Readonly<Record<string, Benchmark>>

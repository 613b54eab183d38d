import type { ReadFields } from '../kinds/field-reader.ts'
import { cachingOfContentRule, cachingOfService } from './caching/compile.ts'
import { clientConnections, idleTimeout } from './client-connections/compile.ts'
import { compressionOfContentRule, compressionOfService } from './compression/compile.ts'
import { inspectionModeReader, inspectionSwitch, policyOfService } from './inspection/compile.ts'
import { accessLogOfContentRule, accessLogOfService, maskedParameters } from './logging/compile.ts'
import { slowClientReader } from './slow-clients/compile.ts'
import { proxyList } from './trusted-proxies/compile.ts'

/** Everything that is read of the configuration for proxies, or by what else acts on traffic. */
export const fieldReaders: readonly ReadFields[] = [
  accessLogOfContentRule,
  accessLogOfService,
  cachingOfContentRule,
  cachingOfService,
  clientConnections,
  compressionOfContentRule,
  compressionOfService,
  idleTimeout,
  inspectionModeReader,
  inspectionSwitch,
  maskedParameters,
  policyOfService,
  proxyList,
  slowClientReader,
]

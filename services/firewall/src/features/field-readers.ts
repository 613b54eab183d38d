import type { FieldReader } from '../kinds/field-reader.ts'
import { cachingOfContentRule, cachingOfService } from './caching/compile.ts'
import { compressionOfContentRule, compressionOfService } from './compression/compile.ts'
import { slowClientReader } from './slow-clients/compile.ts'

/** Everything that is read of the configuration for proxies, or by what else acts on traffic. */
export const fieldReaders: readonly FieldReader[] = [
  cachingOfContentRule,
  cachingOfService,
  compressionOfContentRule,
  compressionOfService,
  slowClientReader,
]

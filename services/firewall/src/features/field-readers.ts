import type { ReadFields } from '../kinds/field-reader.ts'
import { certificateRuleReader, certificateSubjectReader } from './allow-deny-clients/compile.ts'
import { cachingOfContentRule, cachingOfService } from './caching/compile.ts'
import { clickjackingReader } from './clickjacking/compile.ts'
import { clientCertificateAuthorities, clientCertificateReader } from './client-certificates/compile.ts'
import { clientConnections, idleTimeout } from './client-connections/compile.ts'
import { compressionOfContentRule, compressionOfService } from './compression/compile.ts'
import { contentRuleReader } from './content-rules/compile.ts'
import { denialReader, pageOfDenial } from './denials/compile.ts'
import { exceptionProfilingReader, exceptionProfilingTrustedHosts } from './exception-profiling/compile.ts'
import { inspectionModeReader, inspectionSwitch, policyOfService } from './inspection/compile.ts'
import { instantSslSection, instantSslService } from './instant-ssl/compile.ts'
import {
  learningOfSite,
  learningProfileReader,
  learningReader,
  learningRuleReader,
  learningTrustedHosts,
  parameterTokenReader,
  urlTokenReader,
} from './learning/compile.ts'
import { balancingReader, balancingReaderOfContentRule } from './load-balancing/compile.ts'
import { accessLogOfContentRule, accessLogOfService, maskedParameters } from './logging/compile.ts'
import { responsePageReader } from './response-pages/compile.ts'
import { bodyRewriteReader, headRewriteReader, urlTranslationReader } from './rewriting/compile.ts'
import { ruleExceptionReader } from './rule-exceptions/compile.ts'
import { secondOpinionReader } from './second-opinions/compile.ts'
import { countedFailures, probeInterval, probeRequest } from './server-health/compile.ts'
import { certificateForServer, serverTlsReader } from './server-tls/compile.ts'
import { poolingReader, serverConnectionReader, serverReader, weightReader } from './servers/compile.ts'
import { slowClientReader } from './slow-clients/compile.ts'
import { cipherReader } from './tls/ciphers.ts'
import {
  certificateReaders,
  domainCertificateReaders,
  http2Reader,
  strictTransportReader,
  tlsReader,
} from './tls/compile.ts'
import { proxyList } from './trusted-proxies/compile.ts'
import { globalAclReader, urlAclReader } from './url-acls/compile.ts'
import { urlEncryptionRuleReader, urlEncryptionSwitch } from './url-encryption/compile.ts'

/** Everything that is read of the configuration for proxies, or by what else acts on traffic. */
export const fieldReaders: readonly ReadFields[] = [
  accessLogOfContentRule,
  accessLogOfService,
  balancingReader,
  balancingReaderOfContentRule,
  bodyRewriteReader,
  cachingOfContentRule,
  cachingOfService,
  certificateForServer,
  ...certificateReaders,
  certificateRuleReader,
  certificateSubjectReader,
  cipherReader,
  clickjackingReader,
  clientCertificateAuthorities,
  clientCertificateReader,
  clientConnections,
  compressionOfContentRule,
  compressionOfService,
  contentRuleReader,
  countedFailures,
  denialReader,
  ...domainCertificateReaders,
  exceptionProfilingReader,
  exceptionProfilingTrustedHosts,
  globalAclReader,
  headRewriteReader,
  http2Reader,
  idleTimeout,
  inspectionModeReader,
  inspectionSwitch,
  instantSslSection,
  instantSslService,
  learningOfSite,
  learningProfileReader,
  learningReader,
  learningRuleReader,
  learningTrustedHosts,
  maskedParameters,
  pageOfDenial,
  parameterTokenReader,
  policyOfService,
  poolingReader,
  probeInterval,
  probeRequest,
  proxyList,
  responsePageReader,
  ruleExceptionReader,
  secondOpinionReader,
  serverConnectionReader,
  serverReader,
  serverTlsReader,
  slowClientReader,
  strictTransportReader,
  tlsReader,
  urlAclReader,
  urlEncryptionRuleReader,
  urlEncryptionSwitch,
  urlTokenReader,
  urlTranslationReader,
  weightReader,
]

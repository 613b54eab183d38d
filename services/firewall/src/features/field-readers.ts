import type { ReadFields } from '../kinds/field-reader.ts'
import { certificateRuleReader, certificateSubjectReader } from './allow-deny-clients/compile.ts'
import { cachingOfContentRule, cachingOfService } from './caching/compile.ts'
import { clickjackingReader } from './clickjacking/compile.ts'
import { clientAddressHeader } from './client-addresses/compile.ts'
import { clientCertificateAuthorities, clientCertificateReader } from './client-certificates/compile.ts'
import { clientConnections, idleTimeout } from './client-connections/compile.ts'
import { hiddenErrorReader, hiddenHeaderReader } from './cloaking/compile.ts'
import { compressionOfContentRule, compressionOfService } from './compression/compile.ts'
import { contentRuleReader } from './content-rules/compile.ts'
import { addedAttributes, cookieReader } from './cookie-security/compile.ts'
import { customTypeOfData, protectedDataReader } from './data-theft-protection/compile.ts'
import { denialReader, pageOfDenial } from './denials/compile.ts'
import { exceptionProfilingReader, exceptionProfilingTrustedHosts } from './exception-profiling/compile.ts'
import { attackTypesOfHeaderAcl, headerAclReader } from './header-acls/compile.ts'
import {
  contentRuleMode,
  inspectionDetails,
  inspectionModeReader,
  inspectionSwitch,
  policyOfContentRule,
  policyOfService,
} from './inspection/compile.ts'
import { instantSslSection, instantSslService } from './instant-ssl/compile.ts'
import { blocklistReader, ipReputationReader } from './ip-reputation/compile.ts'
import {
  classOfJsonKey,
  jsonKeyReader,
  jsonLimitReader,
  jsonNumberReader,
  jsonProfileReader,
  policyOfJsonProfile,
} from './json-profiles/compile.ts'
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
import { attackTypesOfClass, customClassReader, inputTypeOfClass } from './parameter-classes/compile.ts'
import {
  attackTypesInParameters,
  parameterProtectionReader,
  uploadsOfPolicy,
} from './parameter-protection/compile.ts'
import { attackPatternReader, identityPatternReader, inputPatternReader } from './patterns/compile.ts'
import { placeReader } from './place/compile.ts'
import {
  poolOfService,
  preferredClientReader,
  rateControlPoolReader,
  rateControlSwitch,
} from './rate-control/compile.ts'
import { refererSpamReader, refererSpamTypes } from './referer-spam/compile.ts'
import { requestLimitReader } from './request-limits/compile.ts'
import { responsePageReader } from './response-pages/compile.ts'
import { bodyRewriteReader, headRewriteReader, urlTranslationReader } from './rewriting/compile.ts'
import { ruleExceptionReader } from './rule-exceptions/compile.ts'
import { secondOpinionReader } from './second-opinions/compile.ts'
import { countedFailures, probeInterval, probeRequest } from './server-health/compile.ts'
import { certificateForServer, serverTlsReader } from './server-tls/compile.ts'
import {
  poolingReader,
  serverConnectionReader,
  serverReader,
  weightOfServer,
  weightReader,
} from './servers/compile.ts'
import { sessionIdentifierReader, sessionTrackingReader } from './session-tracking/compile.ts'
import { slowClientReader } from './slow-clients/compile.ts'
import { tarpitReader } from './tarpit/compile.ts'
import { cipherReader } from './tls/ciphers.ts'
import {
  certificateReaders,
  certificatesOfService,
  domainCertificateReaders,
  http2Reader,
  strictTransportReader,
  tlsReader,
} from './tls/compile.ts'
import { groupOfTrustedHosts, trustedHostReader, trustedHostsAction } from './trusted-hosts/compile.ts'
import { proxyList } from './trusted-proxies/compile.ts'
import { globalAclReader, urlAclReader } from './url-acls/compile.ts'
import { urlEncryptionRuleReader, urlEncryptionSwitch } from './url-encryption/compile.ts'
import { normalizationReader } from './url-normalization/compile.ts'
import {
  accessLimitReader,
  limitsOfAllClients,
  limitsOfEachClient,
  urlPolicyReader,
} from './url-policies/compile.ts'
import { attackTypesInUrls, urlProtectionReader } from './url-protection/compile.ts'
import {
  attackTypesOfUrlProfile,
  classOfParameterProfile,
  customClassOfParameterProfile,
  parameterProfileReader,
  uploadsOfParameterProfile,
  urlProfileReader,
  websiteProfileReader,
} from './website-profiles/compile.ts'

/** Everything that is read of the configuration for proxies, or by what else acts on traffic. */
export const fieldReaders: readonly ReadFields[] = [
  accessLimitReader,
  accessLogOfContentRule,
  accessLogOfService,
  addedAttributes,
  attackPatternReader,
  attackTypesInParameters,
  attackTypesInUrls,
  attackTypesOfClass,
  attackTypesOfHeaderAcl,
  attackTypesOfUrlProfile,
  balancingReader,
  balancingReaderOfContentRule,
  blocklistReader,
  bodyRewriteReader,
  cachingOfContentRule,
  cachingOfService,
  certificateForServer,
  ...certificateReaders,
  certificatesOfService,
  certificateRuleReader,
  certificateSubjectReader,
  cipherReader,
  classOfJsonKey,
  classOfParameterProfile,
  clickjackingReader,
  clientAddressHeader,
  clientCertificateAuthorities,
  clientCertificateReader,
  clientConnections,
  compressionOfContentRule,
  compressionOfService,
  contentRuleMode,
  contentRuleReader,
  cookieReader,
  countedFailures,
  customClassOfParameterProfile,
  customClassReader,
  customTypeOfData,
  denialReader,
  ...domainCertificateReaders,
  exceptionProfilingReader,
  exceptionProfilingTrustedHosts,
  globalAclReader,
  groupOfTrustedHosts,
  headRewriteReader,
  headerAclReader,
  hiddenErrorReader,
  hiddenHeaderReader,
  http2Reader,
  identityPatternReader,
  idleTimeout,
  inputPatternReader,
  inputTypeOfClass,
  inspectionDetails,
  inspectionModeReader,
  inspectionSwitch,
  instantSslSection,
  instantSslService,
  ipReputationReader,
  jsonKeyReader,
  jsonLimitReader,
  jsonNumberReader,
  jsonProfileReader,
  learningOfSite,
  learningProfileReader,
  learningReader,
  learningRuleReader,
  learningTrustedHosts,
  limitsOfAllClients,
  limitsOfEachClient,
  maskedParameters,
  normalizationReader,
  pageOfDenial,
  parameterProfileReader,
  parameterProtectionReader,
  parameterTokenReader,
  placeReader,
  policyOfContentRule,
  policyOfJsonProfile,
  policyOfService,
  poolOfService,
  poolingReader,
  preferredClientReader,
  probeInterval,
  probeRequest,
  protectedDataReader,
  proxyList,
  rateControlPoolReader,
  rateControlSwitch,
  refererSpamReader,
  refererSpamTypes,
  requestLimitReader,
  responsePageReader,
  ruleExceptionReader,
  secondOpinionReader,
  serverConnectionReader,
  serverReader,
  serverTlsReader,
  sessionIdentifierReader,
  sessionTrackingReader,
  slowClientReader,
  strictTransportReader,
  tarpitReader,
  tlsReader,
  trustedHostReader,
  trustedHostsAction,
  uploadsOfParameterProfile,
  uploadsOfPolicy,
  urlAclReader,
  urlEncryptionRuleReader,
  urlEncryptionSwitch,
  urlPolicyReader,
  urlProfileReader,
  urlProtectionReader,
  urlTokenReader,
  urlTranslationReader,
  websiteProfileReader,
  weightOfServer,
  weightReader,
]

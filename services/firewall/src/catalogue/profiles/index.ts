import { formSpamForm } from '../../features/form-spam/form-spam-form.ts'
import { jsonKeyProfile } from '../../features/json-profiles/json-key-profile.ts'
import { jsonProfile } from '../../features/json-profiles/json-profile.ts'
import { jsonSecurityPolicy } from '../../features/json-profiles/json-security-policy.ts'
import { jwtUrlProfile } from '../../features/json-web-tokens/jwt-url-profile.ts'
import { adaptiveProfilingRule } from '../../features/learning/adaptive-profiling-rule.ts'
import { parameterOptimizer } from '../../features/learning/parameter-optimizer.ts'
import { urlOptimizer } from '../../features/learning/url-optimizer.ts'
import { customParameterClass } from '../../features/parameter-classes/custom-parameter-class.ts'
import { ruleException } from '../../features/rule-exceptions/fields.ts'
import { secondOpinion } from '../../features/second-opinions/fields.ts'
import { sessionIdentifier } from '../../features/session-tracking/session-identifier.ts'
import { parameterProfile } from '../../features/website-profiles/parameter-profile.ts'
import { urlProfile } from '../../features/website-profiles/url-profile.ts'
import type { Kind } from '../../kinds/kind.ts'

/** What requests for a URL may look like, how that is learnt, and what is excepted from it. */
export const profilesKinds: readonly Kind[] = [
  urlProfile,
  parameterProfile,
  jsonProfile,
  jsonKeyProfile,
  jsonSecurityPolicy,
  jwtUrlProfile,
  adaptiveProfilingRule,
  parameterOptimizer,
  urlOptimizer,
  formSpamForm,
  customParameterClass,
  ruleException,
  secondOpinion,
  sessionIdentifier,
]

import { adaptiveProfilingRule } from '../../features/learning/adaptive-profiling-rule.ts'
import { parameterOptimizer } from '../../features/learning/parameter-optimizer.ts'
import { urlOptimizer } from '../../features/learning/url-optimizer.ts'
import { ruleException } from '../../features/rule-exceptions/fields.ts'
import { secondOpinion } from '../../features/second-opinions/fields.ts'
import type { Kind } from '../../kinds/kind.ts'
import { customParameterClass } from './custom-parameter-class.ts'
import { formSpamForm } from './form-spam-form.ts'
import { jsonKeyProfile } from './json-key-profile.ts'
import { jsonProfile } from './json-profile.ts'
import { jsonSecurityPolicy } from './json-security-policy.ts'
import { jwtUrlProfile } from './jwt-url-profile.ts'
import { parameterProfile } from './parameter-profile.ts'
import { sessionIdentifier } from './session-identifier.ts'
import { urlProfile } from './url-profile.ts'

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

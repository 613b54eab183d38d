import type { Obeyed } from './enforcement.ts'

/** Of a kind whose fields the readers of features name. @param children the kinds inside it whose objects are obeyed */
function ofFeatures(administrative: readonly string[], children: readonly string[] = []): Obeyed {
  return { own: [], sections: {}, children, administrative }
}

/** Of the kinds that say what requests and answers are checked against, what proxies obey. */
export const obeyedChecks: Readonly<Record<string, Obeyed>> = {
  'allow-or-deny-client': ofFeatures(['name']),
  'url-acl': ofFeatures(['name', 'comments']),
  'header-acl': ofFeatures(['name', 'comments']),
  'url-profile': ofFeatures(['name', 'comment', 'display-name'], ['parameter-profile']),
  'parameter-profile': ofFeatures(['name', 'comments']),
  'url-policy': ofFeatures(['name', 'comments']),
  'security-policy': ofFeatures(
    ['name', 'based-on'],
    ['action-policy', 'data-theft-protection', 'global-acl'],
  ),
  'action-policy': ofFeatures(['name', 'numeric-id']),
  'data-theft-protection': ofFeatures(['name']),
  'global-acl': ofFeatures(['name', 'comments']),
  'adaptive-profiling-rule': ofFeatures(['name']),
  'url-optimizer': ofFeatures(['name']),
  'parameter-optimizer': ofFeatures(['name']),
  'response-page': ofFeatures(['name', 'type']),
  'second-opinion': ofFeatures(['name', 'comments']),
  'json-profile': ofFeatures(['name', 'comment'], ['json-key-profile']),
  'json-key-profile': ofFeatures(['name', 'comments']),
  'json-security-policy': ofFeatures(['name']),
  'rule-exception': ofFeatures(['name', 'comments']),
  'attack-type-pattern': ofFeatures(['name', 'description']),
  'custom-ip-blocklist': ofFeatures([]),
  'custom-parameter-class': ofFeatures(['name']),
  'identity-theft-pattern': ofFeatures(['name', 'description']),
  'input-type-pattern': ofFeatures(['name', 'description']),
  'preferred-client': ofFeatures(['name']),
  'rate-control-pool': ofFeatures(['name']),
  'referer-spam-pattern': ofFeatures(['name', 'description']),
  'session-identifier': ofFeatures(['name']),
  'trusted-host': ofFeatures(['name', 'comments']),
}

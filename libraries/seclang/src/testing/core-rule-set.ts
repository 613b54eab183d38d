import { existsSync } from 'node:fs'
import type { RuleSource } from '../language/parse-rule-files.ts'

/** Where Debian's packages put the Core Rule Set and its settings. */
const rulesFolder = '/usr/share/modsecurity-crs/rules'
const setupFile = '/etc/modsecurity/crs/crs-setup.conf'
const settingsFile = '/etc/modsecurity/modsecurity.conf-recommended'

/** Whether Debian's package is installed. */
export function hasCoreRuleSet(): boolean {
  return existsSync(rulesFolder) && existsSync(setupFile)
}

/** Settings with which the project runs its regression cases: all paranoia levels, limits on. */
export const regressionSettings = `
SecAction "id:900005,phase:1,nolog,pass,ctl:ruleRemoveById=910000,\\
  setvar:tx.paranoia_level=4,setvar:tx.crs_validate_utf8_encoding=1,\\
  setvar:tx.arg_name_length=100,setvar:tx.arg_length=400,setvar:tx.total_arg_length=64000,\\
  setvar:tx.max_num_args=255,setvar:tx.max_file_size=64100,setvar:tx.combined_file_size=65535"
`

/** Debian's Core Rule Set with Debian's settings, and more settings before its rules. */
export function coreRuleSet(moreSettings: string): readonly RuleSource[] {
  return [
    existsSync(settingsFile) ? { file: settingsFile } : { name: 'settings', text: bareSettings },
    { file: setupFile },
    { name: 'settings of the test', text: moreSettings },
    { name: 'rules', text: `Include ${rulesFolder}/*.conf` },
  ]
}

/** The same as directives for Apache, whose settings file names others relative to its own folder. */
export function coreRuleSetForApache(moreSettings: string): string {
  return [
    bareSettings,
    'SecUnicodeMapFile /etc/modsecurity/unicode.mapping 20127',
    `Include ${setupFile}`,
    moreSettings,
    `Include ${rulesFolder}/*.conf`,
  ].join('\n')
}

/** What the recommended settings of another package would say. */
export const bareSettings = `
SecRuleEngine DetectionOnly
SecRequestBodyAccess On
SecResponseBodyAccess On
SecRule REQUEST_HEADERS:Content-Type "^(?:application(?:/soap\\+|/)|text/)xml" \\
  "id:200000,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=XML"
SecRule REQUEST_HEADERS:Content-Type "^application/json" \\
  "id:200001,phase:1,t:none,t:lowercase,pass,nolog,ctl:requestBodyProcessor=JSON"
`

import type { FactoryObject } from '../../../kinds/kind.ts'
import { cloaking } from '../../cloaking/fields.ts'
import { cookieSecurity } from '../../cookie-security/fields.ts'
import { parameterProtection } from '../../parameter-protection/fields.ts'
import { defaultPolicy } from './default-policy.ts'

/*
 * The policies of a fresh installation: the general one, `strict` with the limits that the reference documents for it (5.5), and one
 * for each of some widespread applications with what those need (values recorded from a device). What is not said here is as in
 * `strict`, and as in the policies that clients create.
 */

const cookiesExempted = cookieSecurity.fields['cookies-exempted'].default
const headersToFilter = cloaking.fields['headers-to-filter'].default
const ignoreParameters = parameterProtection.fields['ignore-parameters'].default

const outlook = {
  methods: [
    'GET',
    'POST',
    'PUT',
    'HEAD',
    'CONNECT',
    'OPTIONS',
    'DELETE',
    'SEARCH',
    'POLL',
    'PROPFIND',
    'BMOVE',
    'BCOPY',
    'SUBSCRIBE',
    'MOVE',
    'PROPPATCH',
    'BPROPPATCH',
    'BDELETE',
    'MKCOL',
    'RPC_OUT_DATA',
    'RPC_IN_DATA',
    'COPY',
    'ERROR',
    'LOCK',
    'PURGE',
    'TRACE',
    'UNLOCK',
  ],
  contentTypes: [
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'application/x-www-UTF8-encoded',
    'text/xml',
    'text/plain',
    'application/vnd.ms-sync.wbxml',
    'message/rfc822',
    'application/json',
    'application/mapi-http',
  ],
}

const sharePoint = {
  methods: [
    'GET',
    'POST',
    'PUT',
    'HEAD',
    'CONNECT',
    'OPTIONS',
    'BDELETE',
    'BMOVE',
    'COPY',
    'DELETE',
    'ERROR',
    'LOCK',
    'MKCOL',
    'MOVE',
    'PROPFIND',
    'PROPPATCH',
    'PURGE',
    'TRACE',
    'UNLOCK',
  ],
  contentTypes: [
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'text/xml',
    'application/x-www-UTF8-encoded',
    'application/x-vermeer-urlencoded',
    'application/json',
  ],
  parameters: {
    'maximum-parameter-value-length': 4096,
    'ignore-parameters': [...ignoreParameters, 'PostBody'],
  },
  cloaking: {
    'headers-to-filter': [...headersToFilter, 'MicrosoftSharePointTeamServices'],
    'return-codes-to-exempt': ['403'],
  },
}

/** The policies of a fresh installation; each says only in what it differs from the defaults of the fields. */
export const factoryPolicies: readonly FactoryObject[] = [
  defaultPolicy,
  { path: ['strict'] },
  { path: ['oracle'] },
  {
    path: ['owa'],
    sections: {
      cloaking: { 'suppress-return-code': 'No' },
      'parameter-protection': { 'maximum-parameter-value-length': 1024 },
      'url-protection': {
        'allowed-methods': outlook.methods,
        'allowed-content-types': outlook.contentTypes,
      },
    },
  },
  outlookWithUploads('owa2010', ['MstrPgLd1', 'MstrPgLd2']),
  outlookWithUploads('owa2013', ['MstrPgLd1', 'MstrPgLd2', 'EcpUpdatedUserSettings', 'UpdatedUserSettings']),
  {
    path: ['saml'],
    sections: {
      'cookie-security': { 'cookies-exempted': [...cookiesExempted, '_shibsession_', '_shibstate_'] },
      'parameter-protection': {
        'maximum-parameter-value-length': 4096,
        'ignore-parameters': [...ignoreParameters, 'SAMLResponse', 'SAMLRequest'],
      },
      'request-limits': { 'max-header-value-length': 2048 },
    },
  },
  {
    path: ['sharepoint'],
    sections: {
      cloaking: sharePoint.cloaking,
      'parameter-protection': sharePoint.parameters,
      'url-protection': {
        'allowed-methods': sharePoint.methods,
        'allowed-content-types': sharePoint.contentTypes,
      },
    },
  },
  {
    path: ['sharepoint2013'],
    sections: {
      cloaking: sharePoint.cloaking,
      'cookie-security': {
        'cookies-exempted': [
          ...cookiesExempted,
          'Ribbon.ListForm.Edit',
          'Ribbon.Read',
          'WSS_FullScreenMode',
          'databaseBtnText',
          'databaseBtnDesc',
          'stsSyncAppName',
          'stsSyncIconPath',
          'Ribbon.ListForm.Display',
          'Ribbon.Timeline',
        ],
      },
      'parameter-protection': {
        ...sharePoint.parameters,
        'file-upload-extensions': ['JPG', 'GIF', 'PDF', 'DOC', 'DOCX', 'TXT'],
        'file-upload-mime-types': [],
      },
      'request-limits': { 'max-cookie-name-length': 128 },
      'url-protection': {
        'allowed-methods': sharePoint.methods,
        'allowed-content-types': sharePoint.contentTypes,
        'max-parameters': 64,
        'maximum-parameter-name-length': 150,
      },
    },
  },
]

/** Outlook on the web since 2010, which takes attachments of up to 8 MB. */
function outlookWithUploads(name: string, cookies: readonly string[]): FactoryObject {
  return {
    path: [name],
    sections: {
      cloaking: { 'suppress-return-code': 'No' },
      'cookie-security': { 'cookies-exempted': [...cookiesExempted, ...cookies] },
      'parameter-protection': {
        'maximum-parameter-value-length': 1024,
        'file-upload-extensions': ['JPG', 'GIF', 'PDF', 'RAR', 'ZIP', 'PPT', 'RTF', 'DOC'],
        'file-upload-mime-types': [],
        'maximum-upload-file-size': 8192,
      },
      'url-protection': {
        'allowed-methods': outlook.methods,
        'allowed-content-types': outlook.contentTypes,
        'max-content-length': 8_388_608,
      },
    },
  }
}

import { isAddressRange, splitRanges } from './address-ranges.ts'

/** What a text has to look like, for the machine and for the person whose text was refused. */
export interface Pattern {
  readonly expression: RegExp
  /** Asked of texts that the expression takes, for what no expression can say. */
  readonly accepts?: (text: string) => boolean
  /** Continues "must be text …". */
  readonly meaning: string
}

/** How objects are named unless their kind says otherwise. */
export const objectName: Pattern = {
  expression: /^[a-zA-Z][a-zA-Z0-9._-]*$/,
  meaning: 'that starts with a letter and continues with letters, digits, ".", "_" and "-"',
}

/** As {@link objectName}, with colons too: names of servers, ids of applications. */
export const objectNameWithColons: Pattern = {
  expression: /^[a-zA-Z][a-zA-Z0-9._:-]*$/,
  meaning: 'that starts with a letter and continues with letters, digits, ".", "_", ":" and "-"',
}

/** The name of one host, or an IPv4 address. Underscores pass; the lengths of labels are not checked. */
export const hostName: Pattern = {
  expression: /^[a-zA-Z0-9._-]+$/,
  meaning: 'that is a host name: letters, digits, ".", "_" and "-"',
}

/** A host, or "*" for every host; at most one "*" in each run of the name. */
export const hostMatch: Pattern = {
  expression: /^(?:\*.*|(?=.{2})[a-zA-Z0-9._-]*(?:\*[a-zA-Z0-9._-]+)*)$/,
  meaning: 'that is a host name in which "*" stands for any characters, such as *.example.com',
}

/** The path of a URL, in which one "*" may stand for any characters. */
export const urlMatch: Pattern = {
  expression: /^\/[^*]*(?:\*[^*]*)?$/,
  meaning: 'that starts with "/" and has at most one "*"',
}

/** As {@link urlMatch}, without characters that no path has. */
export const pathMatch: Pattern = {
  expression: /^\/[^*?<>&\s]*(?:\*[^*?<>&\s]*)?$/,
  meaning: 'that starts with "/", has at most one "*", and no "?", "<", ">", "&" or blanks',
}

/** A URL of HTTP or HTTPS. Only its beginning is checked, and that it has no "*". */
export const absoluteUrl: Pattern = {
  expression: /^https?:\/\/[^*]+$/i,
  meaning: 'that is a URL starting with http:// or https://, without "*"',
}

/** Where a redirect leads: a URL, a path, or what was asked for (%s with the host, %b its base). */
export const redirectTarget: Pattern = {
  expression: /^(?:https?:\/\/[^*]+|\/[^*]+|%s|%b)$/i,
  meaning: 'that is a URL or a path without "*", or %s, or %b',
}

/** Characters of the name of a header, also beyond ASCII, which RFC 9110, section 5.6.2, does not have; may be empty. */
export const headerName: Pattern = {
  expression: /^[^,()@;:/[\]?={}"<>\x7f\0-\x20]*$/,
  meaning: 'that is a header name: no blanks, control characters or any of ,()@;:/[]?={}"<>',
}

/** The name of one request parameter, in which "*" may stand for any characters; may be empty. */
export const parameterName: Pattern = {
  expression: /^[\p{L}\p{N}._%~#*[\]-]*$/u,
  meaning: 'of letters, digits and any of "._%~#*-[]"',
}

/** Bytes, each percent-encoded (RFC 3986, section 2.1); none when empty. */
export const percentEncodedCharacters: Pattern = {
  expression: /^(?:%[0-9a-fA-F]{2})*$/,
  meaning: 'of percent-encoded characters, such as %20%3A',
}

/** Letters of any script, and underscores; may be empty. */
export const lettersAndUnderscores: Pattern = {
  expression: /^[\p{L}_]*$/u,
  meaning: 'of letters and "_"',
}

/** An extension without its dot, or "*" for every file. */
export const fileExtension: Pattern = {
  expression: /^(?:\*.*|[^.*<>& ]+)$/,
  meaning: 'that is a file extension without ".", or "*"',
}

/** A MIME type as it stands in a header, or a regular expression for several, in which the slash stands in brackets. */
export const mimeType: Pattern = {
  expression:
    /^(?:[a-zA-Z][a-zA-Z-]*\[\/\].*|[a-zA-Z0-9*][a-zA-Z0-9!#$&^_.+*-]*\/[a-zA-Z0-9*][a-zA-Z0-9!#$&^_.+*-]*)$/,
  meaning: 'that is a MIME type, such as text/html or text[/]html',
}

/** Any text that is not empty and has no blank at its end. */
export const notBlank: Pattern = {
  expression: /\S$/,
  meaning: 'that does not end with a blank',
}

/** A port, or two with a hyphen between them. */
export const portRange: Pattern = {
  expression:
    /^(?:[0-9]{1,4}|[0-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]|[0-9]{1,5}-[0-9]{1,5})$/,
  meaning: 'that is a port or a range of ports, such as 8000-8080',
}

/** The id by which an application is called; may be empty. */
export const applicationId: Pattern = {
  expression: /^[\p{L}\p{N}*._-]*$/u,
  meaning: 'of letters, digits, "*", ".", "_" and "-"',
}

/** Names of request parameters separated by commas; "*" stands for every parameter. */
export const parameterNames: Pattern = {
  expression: /^[\p{L}_$*][\p{L}\p{N}_\-.:,$@#*[\]%\s]*$/u,
  meaning:
    'that names parameters, separated by commas, starting with a letter, "_", "$" or "*" and continuing with letters, digits and any of "_-.:,$@#*[]%"',
}

/** An administrator's name. */
export const userName: Pattern = {
  expression: /^[a-zA-Z0-9._@-]+$/,
  meaning: 'of letters, digits, ".", "_", "-" and "@"',
}

/** A part of the configuration and what may be done with it. */
export const permission: Pattern = {
  expression: /^.+:(?:read|write)$/,
  meaning: 'that is a name, or _ALL_, followed by :read or :write, such as services:write',
}

/** A host name, or an address of IPv4 or IPv6. Nothing is resolved, and only characters are checked. */
export const hostOrAddress: Pattern = {
  expression: /^(?:[a-zA-Z0-9._-]+|[0-9a-fA-F:.]+)$/,
  meaning: 'that is a host name or an IP address',
}

/** One address without a display name. Only the "@" between two parts is checked. */
export const emailAddress: Pattern = {
  expression: /^[^\s@,]+@[^\s@,]+$/,
  meaning: 'that is an email address, such as name@example.com',
}

/** One or more of {@link emailAddress}, with a comma and at most one blank between them. */
export const emailAddresses: Pattern = {
  expression: /^[^\s@,]+@[^\s@,]+(?:, ?[^\s@,]+@[^\s@,]+)*$/,
  meaning: 'that is an email address, or several with commas between them',
}

/** A token as RFC 9110, section 5.6.2, defines it, of which cookies' names are made. */
export const cookieName: Pattern = {
  expression: /^[!#$%&'*+.^_`|~0-9a-zA-Z-]+$/,
  meaning: "that is a cookie's name: letters, digits and any of !#$%&'*+.^_`|~-",
}

/** Year to second, without a time zone. Ranges are not checked: 2030-13-45 passes. */
export const dateAndTime: Pattern = {
  expression: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/,
  meaning: 'that is a date and a time, such as 2030-12-31 23:59:59',
}

/** The shape of a name of the IANA time zone database; whether the zone exists is not checked. */
export const timeZone: Pattern = {
  expression: /^[a-zA-Z][a-zA-Z0-9_+/-]*$/,
  meaning: 'that names a time zone, such as Europe/Vienna',
}

/** Text that goes into a header or a directive, where a line end would begin another one. */
export const oneLine: Pattern = {
  expression: /^[^\r\n]*$/,
  meaning: 'on one line',
}

/** A MIME type as it stands in a header; the slash may also stand in brackets, as in patterns. */
export const contentType: Pattern = {
  expression: /^[a-zA-Z0-9*][a-zA-Z0-9!#$&^_.+*-]*(?:\/|\[\/\])[a-zA-Z0-9*][a-zA-Z0-9!#$&^_.+*-]*$/,
  meaning: 'that is a MIME type, such as application/json',
}

/** A method as RFC 9110, section 5.6.2, allows its name to be; "*" stands for every method. */
export const methodName: Pattern = {
  expression: /^[a-zA-Z0-9!#$%&'*+.^_`|~-]+$/,
  meaning: 'that is the name of a method, such as GET',
}

/** The status line of a response after its version. */
export const statusLine: Pattern = {
  expression: /^[1-5][0-9]{2}(?: [^\r\n]*)?$/,
  meaning: 'that is a status, such as 404 Not Found',
}

/** Addresses, ranges such as 192.0.2.1-192.0.2.9 and networks such as 2001:db8::/32, with commas between them. */
export const addressRanges: Pattern = {
  expression: /^[0-9a-fA-F.:/,\s-]*$/,
  accepts: (text) => splitRanges(text).every(isAddressRange),
  meaning: 'of IP addresses, ranges with "-" or networks with "/", separated by commas, blanks or line ends',
}

/** ASCII digits, as many as the field's length allows; may be empty. */
export const digits: Pattern = {
  expression: /^[0-9]*$/,
  meaning: 'of digits',
}

/** A number of JSON that may have more digits than integers have here. */
export const longNumber: Pattern = {
  expression: /^-?[0-9]{1,20}$/,
  meaning: 'that is a whole number of at most 20 digits',
}

/** A host or address, with or without a port, in which "*" may stand for any characters. Only characters are checked. */
export const hostAndPort: Pattern = {
  expression: /^[a-zA-Z0-9._*[\]:-]+$/,
  meaning: 'that is a host name, perhaps with a port',
}

/** Real names of certificates are often those of hosts, also of wildcards. */
export const certificateName: Pattern = {
  expression: /^[a-zA-Z0-9_*](?:[a-zA-Z0-9 ._*-]*[a-zA-Z0-9._*-])?$/,
  meaning: 'that starts with a letter, a digit, "_" or "*" and continues with these, blanks, "." and "-"',
}

/** An attribute of a directory's entries (RFC 4512, attribute descriptions). */
export const ldapAttribute: Pattern = {
  expression: /^[a-zA-Z][a-zA-Z0-9;-]*$/,
  meaning: 'that is an LDAP attribute: a letter, then letters, digits, "-" and ";"',
}

/** People's and groups' names as they are: "Jane Doe", "jane@example.com". */
export const userOrGroupName: Pattern = {
  expression: /^[^\s,](?:[^\t\r\n,]*[^\s,])?$/,
  meaning: 'on one line, without commas, that neither starts nor ends with a blank',
}

/** Whole days as text, without zeros in front. */
export const numberOfDays: Pattern = {
  expression: /^[1-9][0-9]{0,3}$/,
  meaning: 'that is a number of days from 1 to 9999',
}

/** ISO 3166-1 alpha-2. */
export const countryCode: Pattern = {
  expression: /^[a-zA-Z]{2}$/,
  meaning: 'that is a country code of two letters, such as DE',
}

/** Hours and minutes, perhaps with seconds; of 24 hours, or of 12 with AM or PM. */
export const timeOfDay: Pattern = {
  expression: /^(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9])?(?: ?[aApP][mM])?$/,
  meaning: 'that is a time of day, such as 02:30',
}

const ipv4 = '(?:(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})[.]){3}(?:25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})'
const ipv6 = '(?:[0-9a-fA-F]{0,4}:){2,7}[0-9a-fA-F]{0,4}'

/** What addresses are translated to: one, or several that are taken in turn. */
export const addressOrRange: Pattern = {
  expression: new RegExp(`^(?:${ipv4}(?: ?- ?${ipv4})?|${ipv6}(?: ?- ?${ipv6})?)$`),
  meaning: 'that is an IP address or a range of them, such as 192.0.2.10-192.0.2.20',
}

/** A status that tells of an error (RFC 9110, 15.5 and 15.6). */
export const httpErrorStatus: Pattern = {
  expression: /^[45][0-9]{2}$/,
  meaning: 'that is an HTTP status from 400 to 599',
}

/** Where a page of the own site, or of another one, is found. */
export const urlOrPath: Pattern = {
  expression: /^(?:https?:\/\/[^\s*]+|\/[^\s*]*)$/i,
  meaning: 'that is a URL starting with http:// or https://, or a path starting with "/", without "*"',
}

/** The path of one URL, or of a cookie. */
export const absolutePath: Pattern = {
  expression: /^\/[^\s?#;,]*$/,
  meaning: 'that is a path starting with "/", without blanks or any of ?#;,',
}

/** A length, or a mask written as an address is. */
export const ipv6Mask: Pattern = {
  expression: /^(?:[0-9]|[1-9][0-9]|1[01][0-9]|12[0-8]|[0-9a-fA-F]{1,4}:[0-9a-fA-F:]{1,36})$/,
  meaning: 'that is the length of a network prefix from 0 to 128, or a mask such as ffff:ffff::',
}

/** A part of a Content Security Policy, in which ";" and line ends would begin something else. */
export const directiveText: Pattern = {
  expression: /^[^;\r\n]*$/,
  meaning: 'on one line and without ";"',
}

const variablesWithNames =
  'ARGS|ARGS_GET|ARGS_POST|ARGS_NAMES|ARGS_GET_NAMES|ARGS_POST_NAMES|FILES|FILES_NAMES|REQUEST_COOKIES|REQUEST_COOKIES_NAMES|REQUEST_HEADERS|REQUEST_HEADERS_NAMES'
const variablesWithoutNames =
  'QUERY_STRING|REQUEST_BASENAME|REQUEST_BODY|REQUEST_FILENAME|REQUEST_LINE|REQUEST_URI|REQUEST_URI_RAW|RESPONSE_BODY|XML'

/** What rules look at, as logs name it. */
export const ruleTarget: Pattern = {
  expression: new RegExp(
    `^(?:(?:${variablesWithNames})(?::[^\\x00-\\x1f\\x7f]+)?|(?:${variablesWithoutNames}))$`,
  ),
  meaning:
    'that names a part of requests as rules do, such as ARGS:comment, REQUEST_COOKIES:note or REQUEST_BODY',
}

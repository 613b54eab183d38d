export const values = 'ARGS'

export const valuesAndCookies = 'ARGS|REQUEST_COOKIES'

/** Where clients put what an application may take for code: values, their names, cookies, headers and documents of XML. */
export const everywhere = 'ARGS|ARGS_NAMES|REQUEST_COOKIES|REQUEST_HEADERS|XML:/*|XML://@*'

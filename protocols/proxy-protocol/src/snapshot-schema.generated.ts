/** Made from the types by `npm run contract`. */
export const snapshotSchema = {
 "$schema": "http://json-schema.org/draft-07/schema#",
 "$ref": "#/definitions/ProxySnapshot",
 "definitions": {
  "ProxySnapshot": {
   "type": "object",
   "properties": {
    "format": {
     "type": "number"
    },
    "version": {
     "type": "number"
    },
    "digest": {
     "type": "string"
    },
    "services": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotService"
     }
    },
    "policies": {
     "type": "object",
     "additionalProperties": {
      "$ref": "#/definitions/SnapshotPolicy"
     }
    },
    "challenges": {
     "$ref": "#/definitions/SnapshotChallenges"
    }
   },
   "required": [
    "version",
    "digest",
    "services"
   ]
  },
  "SnapshotService": {
   "type": "object",
   "properties": {
    "logsAccess": {
     "type": "boolean"
    },
    "maskedParameters": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "idleTimeoutSeconds": {
     "type": "number"
    },
    "requestsPerConnectionMax": {
     "type": "number"
    },
    "allowsWebSockets": {
     "type": "boolean"
    },
    "expectsProxyHeader": {
     "type": "boolean"
    },
    "trustedProxies": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "name": {
     "type": "string"
    },
    "address": {
     "type": "string"
    },
    "port": {
     "type": "number"
    },
    "does": {
     "type": "string",
     "enum": [
      "forward",
      "redirect"
     ]
    },
    "tls": {
     "$ref": "#/definitions/SnapshotTls"
    },
    "inspection": {
     "$ref": "#/definitions/SnapshotInspection"
    },
    "certificateRules": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotCertificateRule"
     }
    },
    "policy": {
     "type": "string"
    },
    "checks": {
     "$ref": "#/definitions/SnapshotChecks"
    },
    "servers": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotServer"
     }
    },
    "balancing": {
     "$ref": "#/definitions/SnapshotBalancing"
    },
    "contentRules": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotContentRule"
     }
    },
    "slowClients": {
     "$ref": "#/definitions/SlowClientLimits"
    },
    "application": {
     "type": "string"
    },
    "authentication": {
     "$ref": "#/definitions/SnapshotAuthentication"
    },
    "urlEncryption": {
     "$ref": "#/definitions/SnapshotUrlEncryption"
    },
    "forms": {
     "$ref": "#/definitions/SnapshotForms"
    },
    "rewriting": {
     "$ref": "#/definitions/SnapshotRewriting"
    },
    "cookieSecurity": {
     "$ref": "#/definitions/SnapshotCookieSecurity"
    },
    "compression": {
     "$ref": "#/definitions/SnapshotCompression"
    },
    "caching": {
     "$ref": "#/definitions/SnapshotCaching"
    },
    "storedTraffic": {
     "$ref": "#/definitions/SnapshotStoredTraffic"
    }
   },
   "required": [
    "address",
    "allowsWebSockets",
    "balancing",
    "contentRules",
    "does",
    "idleTimeoutSeconds",
    "inspection",
    "logsAccess",
    "maskedParameters",
    "name",
    "port",
    "requestsPerConnectionMax",
    "servers"
   ]
  },
  "SnapshotTls": {
   "type": "object",
   "properties": {
    "certificates": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotCertificate"
     }
    },
    "domains": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotDomain"
     }
    },
    "refusesOtherDomains": {
     "type": "boolean"
    },
    "oldestVersion": {
     "$ref": "#/definitions/TlsVersion"
    },
    "newestVersion": {
     "$ref": "#/definitions/TlsVersion"
    },
    "ciphers": {
     "type": "string"
    },
    "clients": {
     "$ref": "#/definitions/SnapshotClientCertificates"
    },
    "offersHttp2": {
     "type": "boolean"
    },
    "strictTransportSecurity": {
     "type": "string"
    }
   },
   "required": [
    "certificates",
    "domains",
    "refusesOtherDomains",
    "oldestVersion",
    "newestVersion",
    "offersHttp2"
   ]
  },
  "SnapshotCertificate": {
   "type": "object",
   "properties": {
    "chain": {
     "type": "string"
    },
    "privateKey": {
     "type": "string"
    }
   },
   "required": [
    "chain",
    "privateKey"
   ]
  },
  "SnapshotDomain": {
   "type": "object",
   "properties": {
    "name": {
     "type": "string"
    },
    "certificates": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotCertificate"
     }
    }
   },
   "required": [
    "name",
    "certificates"
   ]
  },
  "TlsVersion": {
   "type": "string",
   "enum": [
    "TLSv1.2",
    "TLSv1.3"
   ]
  },
  "SnapshotClientCertificates": {
   "type": "object",
   "properties": {
    "areRequired": {
     "type": "boolean"
    },
    "authorities": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "revocationLists": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotRevocationList"
     }
    },
    "statusResponder": {
     "$ref": "#/definitions/SnapshotStatusResponder"
    }
   },
   "required": [
    "areRequired",
    "authorities"
   ]
  },
  "SnapshotRevocationList": {
   "type": "object",
   "properties": {
    "url": {
     "type": "string"
    },
    "isUpdated": {
     "type": "boolean"
    },
    "interval": {
     "type": "string",
     "enum": [
      "day",
      "month",
      "week"
     ]
    },
    "dayOfMonth": {
     "type": "number"
    },
    "dayOfWeek": {
     "type": "number"
    },
    "secondOfDay": {
     "type": "number"
    },
    "retriesMax": {
     "type": "number"
    },
    "name": {
     "type": "string"
    },
    "forbidden": {
     "$ref": "#/definitions/ForbiddenAddresses"
    }
   },
   "required": [
    "dayOfMonth",
    "dayOfWeek",
    "interval",
    "isUpdated",
    "name",
    "retriesMax",
    "secondOfDay",
    "url"
   ]
  },
  "ForbiddenAddresses": {
   "type": "object",
   "properties": {
    "networks": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "endpoints": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "network": {
        "type": "string"
       },
       "port": {
        "type": "number"
       }
      },
      "required": [
       "network",
       "port"
      ]
     }
    }
   },
   "required": [
    "networks",
    "endpoints"
   ]
  },
  "SnapshotStatusResponder": {
   "type": "object",
   "properties": {
    "url": {
     "type": "string"
    },
    "signers": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "forbidden": {
     "$ref": "#/definitions/ForbiddenAddresses"
    }
   },
   "required": [
    "signers",
    "url"
   ]
  },
  "SnapshotInspection": {
   "type": "object",
   "properties": {
    "mode": {
     "type": "string",
     "enum": [
      "off",
      "passive",
      "active"
     ]
    }
   },
   "required": [
    "mode"
   ]
  },
  "SnapshotCertificateRule": {
   "type": "object",
   "properties": {
    "does": {
     "type": "string",
     "enum": [
      "allow",
      "deny"
     ]
    },
    "serial": {
     "type": "string"
    },
    "name": {
     "type": "string"
    },
    "subject": {
     "type": "object",
     "additionalProperties": {
      "type": "string"
     }
    }
   },
   "required": [
    "does",
    "name",
    "subject"
   ]
  },
  "SnapshotChecks": {
   "type": "object",
   "properties": {
    "ignoresCase": {
     "type": "boolean"
    },
    "logLevel": {
     "type": "number"
    },
    "clientAddressHeader": {
     "type": "string"
    },
    "trusted": {
     "type": "object",
     "properties": {
      "does": {
       "type": "string",
       "enum": [
        "allow",
        "passive"
       ]
      },
      "clients": {
       "type": "array",
       "items": {
        "type": "string"
       }
      }
     },
     "required": [
      "does",
      "clients"
     ]
    },
    "blockedClients": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "downloadedBlocklist": {
     "$ref": "#/definitions/SnapshotDownloadedBlocklist"
    },
    "ipReputation": {
     "$ref": "#/definitions/SnapshotIpReputation"
    },
    "urlAcls": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotUrlAcl"
     }
    },
    "headerAcls": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotHeaderAcl"
     }
    },
    "profiles": {
     "$ref": "#/definitions/SnapshotProfiles"
    },
    "learning": {
     "$ref": "#/definitions/SnapshotLearning"
    },
    "jsonProfiles": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotJsonProfile"
     }
    },
    "tokenProfiles": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotTokenProfile"
     }
    },
    "ruleExceptions": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotRuleException"
     }
    },
    "secondOpinions": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotSecondOpinion"
     }
    },
    "urlPolicies": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotUrlPolicy"
     }
    },
    "sessions": {
     "$ref": "#/definitions/SnapshotSessionLimits"
    },
    "refererSpam": {
     "type": "object",
     "properties": {
      "patterns": {
       "type": "array",
       "items": {
        "$ref": "#/definitions/SnapshotPattern"
       }
      },
      "exceptions": {
       "type": "array",
       "items": {
        "type": "string"
       }
      }
     },
     "required": [
      "patterns",
      "exceptions"
     ]
    },
    "webSocketPolicies": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotWebSocketPolicy"
     }
    },
    "formSpam": {
     "$ref": "#/definitions/SnapshotFormSpam"
    },
    "commentSpam": {
     "$ref": "#/definitions/SnapshotCommentSpam"
    },
    "requestPool": {
     "$ref": "#/definitions/SnapshotRequestPool"
    },
    "bots": {
     "$ref": "#/definitions/SnapshotBots"
    },
    "captcha": {
     "$ref": "#/definitions/SnapshotCaptcha"
    }
   },
   "required": [
    "blockedClients",
    "headerAcls",
    "ignoresCase",
    "logLevel",
    "urlAcls",
    "urlPolicies"
   ]
  },
  "SnapshotDownloadedBlocklist": {
   "type": "object",
   "properties": {
    "url": {
     "type": "string"
    },
    "validatesCertificate": {
     "type": "boolean"
    },
    "authorities": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "forbidden": {
     "$ref": "#/definitions/ForbiddenAddresses"
    }
   },
   "required": [
    "authorities",
    "url",
    "validatesCertificate"
   ]
  },
  "SnapshotIpReputation": {
   "type": "object",
   "properties": {
    "closesConnections": {
     "type": "boolean"
    },
    "logsPlaces": {
     "type": "boolean"
    },
    "countsRegistration": {
     "type": "boolean"
    },
    "blocksUnclassified": {
     "type": "boolean"
    },
    "pool": {
     "type": "object",
     "properties": {
      "does": {
       "type": "string",
       "enum": [
        "allow",
        "block"
       ]
      },
      "countries": {
       "type": "array",
       "items": {
        "type": "string"
       }
      },
      "continents": {
       "type": "array",
       "items": {
        "type": "string"
       }
      }
     },
     "required": [
      "does",
      "countries",
      "continents"
     ]
    },
    "categories": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotAddressCategory"
     }
    },
    "allowedNetworks": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "blockedNetworks": {
     "type": "array",
     "items": {
      "type": "string"
     }
    }
   },
   "required": [
    "allowedNetworks",
    "blockedNetworks",
    "blocksUnclassified",
    "categories",
    "closesConnections",
    "countsRegistration",
    "logsPlaces"
   ]
  },
  "SnapshotAddressCategory": {
   "type": "string",
   "enum": [
    "barracuda-reputation-blocklist",
    "anonymous-proxy",
    "satellite-provider",
    "tor-nodes",
    "public-proxy",
    "datacenter-ip",
    "fake-crawler",
    "known-http-attack-sources",
    "known-ssh-attack-sources"
   ]
  },
  "SnapshotUrlAcl": {
   "type": "object",
   "properties": {
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "extendedMatch": {
     "type": "string"
    },
    "sequence": {
     "type": "number"
    },
    "name": {
     "type": "string"
    },
    "does": {
     "type": "string",
     "enum": [
      "process",
      "allow",
      "deny",
      "redirect",
      "answer"
     ]
    },
    "logs": {
     "type": "boolean"
    },
    "denial": {
     "$ref": "#/definitions/SnapshotDenial"
    },
    "followUp": {
     "$ref": "#/definitions/SnapshotFollowUp"
    },
    "captchaSeconds": {
     "type": "number"
    }
   },
   "required": [
    "denial",
    "does",
    "extendedMatch",
    "host",
    "logs",
    "name",
    "sequence",
    "url"
   ]
  },
  "SnapshotDenial": {
   "anyOf": [
    {
     "type": "object",
     "properties": {
      "kind": {
       "type": "string",
       "const": "close"
      }
     },
     "required": [
      "kind"
     ]
    },
    {
     "type": "object",
     "properties": {
      "kind": {
       "type": "string",
       "const": "page"
      },
      "page": {
       "$ref": "#/definitions/SnapshotPage"
      }
     },
     "required": [
      "kind",
      "page"
     ]
    },
    {
     "$ref": "#/definitions/SnapshotRedirect"
    }
   ]
  },
  "SnapshotPage": {
   "type": "object",
   "properties": {
    "status": {
     "type": "number"
    },
    "headers": {
     "type": "object",
     "additionalProperties": {
      "type": "string"
     }
    },
    "body": {
     "type": "string"
    }
   },
   "required": [
    "status",
    "headers",
    "body"
   ]
  },
  "SnapshotRedirect": {
   "type": "object",
   "properties": {
    "kind": {
     "type": "string",
     "const": "redirect"
    },
    "status": {
     "type": "number",
     "enum": [
      301,
      302
     ]
    },
    "location": {
     "type": "string"
    }
   },
   "required": [
    "kind",
    "status",
    "location"
   ]
  },
  "SnapshotFollowUp": {
   "type": "object",
   "properties": {
    "does": {
     "type": "string",
     "enum": [
      "block",
      "tarpit"
     ]
    },
    "seconds": {
     "type": "number"
    }
   },
   "required": [
    "does",
    "seconds"
   ]
  },
  "SnapshotHeaderAcl": {
   "type": "object",
   "properties": {
    "header": {
     "type": "string"
    },
    "isPassive": {
     "type": "boolean"
    },
    "valueBytes": {
     "type": "number"
    },
    "deniedCharacters": {
     "type": "string"
    },
    "name": {
     "type": "string"
    },
    "attackTypes": {
     "$ref": "#/definitions/SnapshotAttackTypes"
    }
   },
   "required": [
    "attackTypes",
    "deniedCharacters",
    "header",
    "isPassive",
    "name"
   ]
  },
  "SnapshotAttackTypes": {
   "type": "object",
   "properties": {
    "ofRules": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "patterns": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotPattern"
     }
    },
    "exceptRules": {
     "type": "array",
     "items": {
      "type": "number"
     }
    }
   },
   "required": [
    "ofRules",
    "patterns",
    "exceptRules"
   ]
  },
  "SnapshotPattern": {
   "type": "object",
   "properties": {
    "regex": {
     "type": "string"
    },
    "isCaseSensitive": {
     "type": "boolean"
    },
    "checkDigits": {
     "type": "string",
     "enum": [
      "credit-card",
      "czech",
      "hungarian",
      "korean",
      "polish"
     ]
    },
    "name": {
     "type": "string"
    },
    "type": {
     "type": "string"
    },
    "isPassive": {
     "type": "boolean"
    }
   },
   "required": [
    "isCaseSensitive",
    "isPassive",
    "name",
    "regex",
    "type"
   ]
  },
  "SnapshotProfiles": {
   "type": "object",
   "properties": {
    "isPassive": {
     "type": "boolean"
    },
    "isStrict": {
     "type": "boolean"
    },
    "hosts": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "exceptUrls": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "urlsAllTheSame": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "urls": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotUrlProfile"
     }
    }
   },
   "required": [
    "exceptUrls",
    "hosts",
    "isPassive",
    "isStrict",
    "urls",
    "urlsAllTheSame"
   ]
  },
  "SnapshotUrlProfile": {
   "type": "object",
   "properties": {
    "isPassive": {
     "type": "boolean"
    },
    "hidden": {
     "type": "string",
     "enum": [
      "forms",
      "forms-and-urls"
     ]
    },
    "fillSeconds": {
     "type": "number"
    },
    "referrers": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "methods": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "contentTypes": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "contentBytes": {
     "type": "number"
    },
    "parameters": {
     "type": "number"
    },
    "parameterNameCharacters": {
     "type": "number"
    },
    "files": {
     "type": "number"
    },
    "csrf": {
     "type": "string",
     "enum": [
      "forms",
      "forms-and-urls"
     ]
    },
    "allowsQuery": {
     "type": "boolean"
    },
    "attackTypes": {
     "$ref": "#/definitions/SnapshotAttackTypes"
    },
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "extendedMatch": {
     "type": "string"
    },
    "sequence": {
     "type": "number"
    },
    "name": {
     "type": "string"
    },
    "parameterProfiles": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotParameterProfile"
     }
    }
   },
   "required": [
    "allowsQuery",
    "attackTypes",
    "contentBytes",
    "contentTypes",
    "extendedMatch",
    "files",
    "host",
    "isPassive",
    "methods",
    "name",
    "parameterNameCharacters",
    "parameterProfiles",
    "referrers",
    "sequence",
    "url"
   ]
  },
  "SnapshotParameterProfile": {
   "type": "object",
   "properties": {
    "parameter": {
     "type": "string"
    },
    "isIgnored": {
     "type": "boolean"
    },
    "isRequired": {
     "type": "boolean"
    },
    "seals": {
     "type": "string",
     "enum": [
      "read-only",
      "session-choice",
      "session-invariant"
     ]
    },
    "shapes": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "inputPatterns": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotInputPattern"
     }
    },
    "deniedCharacters": {
     "type": "string"
    },
    "valueCharacters": {
     "type": "number"
    },
    "instances": {
     "type": "number"
    },
    "checksNames": {
     "type": "boolean"
    },
    "decodesBase64": {
     "type": "boolean"
    },
    "uploads": {
     "$ref": "#/definitions/SnapshotUploads"
    },
    "attackTypes": {
     "$ref": "#/definitions/SnapshotAttackTypes"
    },
    "name": {
     "type": "string"
    },
    "isFile": {
     "type": "boolean"
    },
    "values": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "decides": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotDecidedShape"
     }
    }
   },
   "required": [
    "attackTypes",
    "checksNames",
    "decodesBase64",
    "deniedCharacters",
    "isFile",
    "isIgnored",
    "isRequired",
    "name",
    "parameter",
    "shapes",
    "uploads",
    "valueCharacters"
   ]
  },
  "SnapshotInputPattern": {
   "type": "object",
   "properties": {
    "regex": {
     "type": "string"
    },
    "isCaseSensitive": {
     "type": "boolean"
    },
    "checkDigits": {
     "type": "string",
     "enum": [
      "credit-card",
      "czech",
      "hungarian",
      "korean",
      "polish"
     ]
    }
   },
   "required": [
    "regex",
    "isCaseSensitive"
   ]
  },
  "SnapshotUploads": {
   "type": "object",
   "properties": {
    "by": {
     "type": "string",
     "enum": [
      "extension",
      "type"
     ]
    },
    "allowed": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "refused": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "fileBytes": {
     "type": "number"
    }
   },
   "required": [
    "by",
    "allowed"
   ]
  },
  "SnapshotDecidedShape": {
   "type": "string",
   "enum": [
    "number",
    "numbers",
    "hex",
    "uuid",
    "date",
    "email",
    "code",
    "token"
   ]
  },
  "SnapshotLearning": {
   "type": "object",
   "properties": {
    "exceptUrls": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "urlsAllTheSame": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "ignoredParameters": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "navigationParameters": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "from": {
     "type": "string",
     "enum": [
      "successes",
      "successes-and-redirects",
      "trusted"
     ]
    },
    "trusted": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "places": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "host": {
        "type": "string"
       },
       "url": {
        "type": "string"
       },
       "learns": {
        "type": "boolean"
       }
      },
      "required": [
       "host",
       "url",
       "learns"
      ]
     }
    },
    "urlTokens": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "start": {
        "type": "string"
       },
       "end": {
        "type": "string"
       }
      },
      "required": [
       "start",
       "end"
      ]
     }
    },
    "parameterTokens": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "key": {
     "type": "string"
    }
   },
   "required": [
    "exceptUrls",
    "from",
    "ignoredParameters",
    "key",
    "navigationParameters",
    "parameterTokens",
    "trusted",
    "urlTokens",
    "urlsAllTheSame"
   ]
  },
  "SnapshotJsonProfile": {
   "type": "object",
   "properties": {
    "isPassive": {
     "type": "boolean"
    },
    "methods": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "contentTypes": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "ignoredKeys": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "checksNames": {
     "type": "boolean"
    },
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "extendedMatch": {
     "type": "string"
    },
    "sequence": {
     "type": "number"
    },
    "name": {
     "type": "string"
    },
    "limits": {
     "$ref": "#/definitions/SnapshotJsonLimits"
    },
    "attackTypes": {
     "$ref": "#/definitions/SnapshotAttackTypes"
    },
    "keys": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotJsonKeyProfile"
     }
    }
   },
   "required": [
    "attackTypes",
    "checksNames",
    "contentTypes",
    "extendedMatch",
    "host",
    "ignoredKeys",
    "isPassive",
    "keys",
    "limits",
    "methods",
    "name",
    "sequence",
    "url"
   ]
  },
  "SnapshotJsonLimits": {
   "type": "object",
   "properties": {
    "depth": {
     "type": "number"
    },
    "keys": {
     "type": "number"
    },
    "siblings": {
     "type": "number"
    },
    "arrayElements": {
     "type": "number"
    },
    "keyCharacters": {
     "type": "number"
    },
    "valueCharacters": {
     "type": "number"
    },
    "numbers": {
     "$ref": "#/definitions/SnapshotNumberRange"
    }
   },
   "required": [
    "arrayElements",
    "depth",
    "keyCharacters",
    "keys",
    "numbers",
    "siblings",
    "valueCharacters"
   ]
  },
  "SnapshotNumberRange": {
   "type": "object",
   "properties": {
    "min": {
     "type": "string"
    },
    "max": {
     "type": "string"
    }
   }
  },
  "SnapshotJsonKeyProfile": {
   "type": "object",
   "properties": {
    "key": {
     "type": "string"
    },
    "type": {
     "type": "string",
     "enum": [
      "any",
      "array",
      "number",
      "object",
      "string"
     ]
    },
    "allowsNull": {
     "type": "boolean"
    },
    "valueCharacters": {
     "type": "number"
    },
    "keys": {
     "type": "number"
    },
    "arrayElements": {
     "type": "number"
    },
    "checksNames": {
     "type": "boolean"
    },
    "decodesBase64": {
     "type": "boolean"
    },
    "shapes": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "inputPatterns": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotInputPattern"
     }
    },
    "deniedCharacters": {
     "type": "string"
    },
    "instances": {
     "type": "number"
    },
    "uploads": {
     "$ref": "#/definitions/SnapshotUploads"
    },
    "attackTypes": {
     "$ref": "#/definitions/SnapshotAttackTypes"
    },
    "name": {
     "type": "string"
    },
    "numbers": {
     "$ref": "#/definitions/SnapshotNumberRange"
    }
   },
   "required": [
    "allowsNull",
    "arrayElements",
    "attackTypes",
    "checksNames",
    "decodesBase64",
    "deniedCharacters",
    "key",
    "keys",
    "name",
    "numbers",
    "shapes",
    "type",
    "uploads",
    "valueCharacters"
   ]
  },
  "SnapshotTokenProfile": {
   "type": "object",
   "properties": {
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "extendedMatch": {
     "type": "string"
    },
    "sequence": {
     "type": "number"
    },
    "name": {
     "type": "string"
    },
    "keys": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotTokenKey"
     }
    },
    "fetchedKeys": {
     "type": "object",
     "properties": {
      "url": {
       "type": "string"
      },
      "forbidden": {
       "$ref": "#/definitions/ForbiddenAddresses"
      }
     },
     "required": [
      "url"
     ]
    },
    "introspection": {
     "$ref": "#/definitions/SnapshotIntrospection"
    }
   },
   "required": [
    "extendedMatch",
    "host",
    "keys",
    "name",
    "sequence",
    "url"
   ]
  },
  "SnapshotTokenKey": {
   "anyOf": [
    {
     "type": "object",
     "properties": {
      "publicKey": {
       "type": "string"
      },
      "algorithm": {
       "type": "string"
      },
      "keyId": {
       "type": "string"
      }
     },
     "required": [
      "publicKey"
     ]
    },
    {
     "type": "object",
     "properties": {
      "secret": {
       "type": "string"
      },
      "keyId": {
       "type": "string"
      }
     },
     "required": [
      "secret"
     ]
    }
   ]
  },
  "SnapshotIntrospection": {
   "type": "object",
   "properties": {
    "endpoint": {
     "type": "string"
    },
    "verifiesCertificate": {
     "type": "boolean"
    },
    "tokenParameter": {
     "type": "string"
    },
    "moreParameters": {
     "type": "string"
    },
    "authorization": {
     "type": "string"
    },
    "rememberedMax": {
     "type": "number"
    },
    "forbidden": {
     "$ref": "#/definitions/ForbiddenAddresses"
    }
   },
   "required": [
    "endpoint",
    "verifiesCertificate",
    "tokenParameter",
    "moreParameters",
    "rememberedMax"
   ]
  },
  "SnapshotRuleException": {
   "type": "object",
   "properties": {
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "extendedMatch": {
     "type": "string"
    },
    "sequence": {
     "type": "number"
    },
    "name": {
     "type": "string"
    },
    "rule": {
     "type": "number"
    },
    "target": {
     "type": "string"
    }
   },
   "required": [
    "extendedMatch",
    "host",
    "name",
    "rule",
    "sequence",
    "url"
   ]
  },
  "SnapshotSecondOpinion": {
   "type": "object",
   "properties": {
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "extendedMatch": {
     "type": "string"
    },
    "sequence": {
     "type": "number"
    },
    "name": {
     "type": "string"
    },
    "parameter": {
     "type": "string"
    },
    "exceptedRules": {
     "type": "array",
     "items": {
      "type": "number"
     }
    }
   },
   "required": [
    "exceptedRules",
    "extendedMatch",
    "host",
    "name",
    "parameter",
    "sequence",
    "url"
   ]
  },
  "SnapshotUrlPolicy": {
   "type": "object",
   "properties": {
    "isPassive": {
     "type": "boolean"
    },
    "protectsData": {
     "type": "boolean"
    },
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "extendedMatch": {
     "type": "string"
    },
    "sequence": {
     "type": "number"
    },
    "name": {
     "type": "string"
    },
    "accessLimits": {
     "$ref": "#/definitions/SnapshotAccessLimits"
    },
    "credentials": {
     "$ref": "#/definitions/SnapshotCredentialChecks"
    }
   },
   "required": [
    "extendedMatch",
    "host",
    "isPassive",
    "name",
    "protectsData",
    "sequence",
    "url"
   ]
  },
  "SnapshotAccessLimits": {
   "type": "object",
   "properties": {
    "windowSeconds": {
     "type": "number"
    },
    "counts": {
     "type": "string",
     "enum": [
      "all-clients",
      "each-client"
     ]
    },
    "exceptions": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "accesses": {
     "type": "number"
    },
    "failures": {
     "type": "number"
    },
    "bandwidthBytes": {
     "type": "number"
    },
    "failureText": {
     "type": "string"
    }
   },
   "required": [
    "accesses",
    "bandwidthBytes",
    "counts",
    "exceptions",
    "failures",
    "windowSeconds"
   ]
  },
  "SnapshotCredentialChecks": {
   "type": "object",
   "properties": {
    "sentAs": {
     "type": "string",
     "enum": [
      "basic",
      "form",
      "json"
     ]
    },
    "userNameField": {
     "type": "string"
    },
    "passwordField": {
     "type": "string"
    },
    "attemptsMax": {
     "type": "number"
    },
    "windowSeconds": {
     "type": "number"
    },
    "exceptions": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "against": {
     "type": "string",
     "enum": [
      "stuffing",
      "spraying"
     ]
    }
   },
   "required": [
    "against",
    "attemptsMax",
    "exceptions",
    "passwordField",
    "sentAs",
    "userNameField",
    "windowSeconds"
   ]
  },
  "SnapshotSessionLimits": {
   "type": "object",
   "properties": {
    "windowSeconds": {
     "type": "number"
    },
    "exceptions": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "sessions": {
     "type": "number"
    },
    "tokens": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotSessionToken"
     }
    }
   },
   "required": [
    "exceptions",
    "sessions",
    "tokens",
    "windowSeconds"
   ]
  },
  "SnapshotSessionToken": {
   "type": "object",
   "properties": {
    "name": {
     "type": "string"
    },
    "startDelimiter": {
     "type": "string"
    },
    "endDelimiter": {
     "type": "string"
    },
    "in": {
     "type": "string",
     "enum": [
      "cookie",
      "parameter",
      "path"
     ]
    },
    "by": {
     "type": "string",
     "enum": [
      "whole",
      "prefix",
      "suffix"
     ]
    }
   },
   "required": [
    "by",
    "endDelimiter",
    "in",
    "name",
    "startDelimiter"
   ]
  },
  "SnapshotWebSocketPolicy": {
   "type": "object",
   "properties": {
    "origins": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "framesMax": {
     "type": "number"
    },
    "frameBytesMax": {
     "type": "number"
    },
    "payload": {
     "type": "string",
     "enum": [
      "any",
      "binary",
      "text"
     ]
    },
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "extendedMatch": {
     "type": "string"
    },
    "sequence": {
     "type": "number"
    },
    "name": {
     "type": "string"
    },
    "isPassive": {
     "type": "boolean"
    },
    "messages": {
     "$ref": "#/definitions/SnapshotMessageSecurity"
    }
   },
   "required": [
    "extendedMatch",
    "frameBytesMax",
    "framesMax",
    "host",
    "isPassive",
    "name",
    "origins",
    "payload",
    "sequence",
    "url"
   ]
  },
  "SnapshotMessageSecurity": {
   "type": "object",
   "properties": {
    "checksJson": {
     "type": "boolean"
    },
    "isJson": {
     "type": "boolean"
    }
   },
   "required": [
    "checksJson",
    "isJson"
   ]
  },
  "SnapshotFormSpam": {
   "type": "object",
   "properties": {
    "hasHoneypot": {
     "type": "boolean"
    },
    "coversAll": {
     "type": "boolean"
    },
    "forms": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotListedForm"
     }
    }
   },
   "required": [
    "coversAll",
    "forms",
    "hasHoneypot"
   ]
  },
  "SnapshotListedForm": {
   "type": "object",
   "properties": {
    "url": {
     "type": "string"
    },
    "fillSeconds": {
     "type": "number"
    },
    "isPassive": {
     "type": "boolean"
    },
    "name": {
     "type": "string"
    }
   },
   "required": [
    "fillSeconds",
    "isPassive",
    "name",
    "url"
   ]
  },
  "SnapshotCommentSpam": {
   "type": "object",
   "properties": {
    "parameters": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "patterns": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotPattern"
     }
    }
   },
   "required": [
    "parameters",
    "patterns"
   ]
  },
  "SnapshotRequestPool": {
   "type": "object",
   "properties": {
    "activeMax": {
     "type": "number"
    },
    "backlogMax": {
     "type": "number"
    },
    "clientsMax": {
     "type": "number"
    },
    "name": {
     "type": "string"
    },
    "preferred": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotPreferredClient"
     }
    }
   },
   "required": [
    "activeMax",
    "backlogMax",
    "clientsMax",
    "name",
    "preferred"
   ]
  },
  "SnapshotPreferredClient": {
   "type": "object",
   "properties": {
    "clients": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "weight": {
     "type": "number"
    }
   },
   "required": [
    "clients",
    "weight"
   ]
  },
  "SnapshotBots": {
   "type": "object",
   "properties": {
    "keys": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotKey"
     }
    },
    "crawlers": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotBot"
     }
    },
    "policies": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotScrapingPolicy"
     }
    }
   },
   "required": [
    "keys",
    "crawlers",
    "policies"
   ]
  },
  "SnapshotKey": {
   "type": "object",
   "properties": {
    "id": {
     "type": "number"
    },
    "secret": {
     "type": "string"
    }
   },
   "required": [
    "id",
    "secret"
   ]
  },
  "SnapshotBot": {
   "type": "object",
   "properties": {
    "userAgent": {
     "type": "string"
    },
    "provedBy": {
     "type": "string",
     "enum": [
      "addresses",
      "hosts"
     ]
    },
    "hosts": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "addresses": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "name": {
     "type": "string"
    }
   },
   "required": [
    "addresses",
    "hosts",
    "name",
    "provedBy",
    "userAgent"
   ]
  },
  "SnapshotScrapingPolicy": {
   "type": "object",
   "properties": {
    "forbidsUrl": {
     "type": "boolean"
    },
    "hidesLink": {
     "type": "boolean"
    },
    "asksForDelay": {
     "type": "boolean"
    },
    "delaySeconds": {
     "type": "number"
    },
    "isPassive": {
     "type": "boolean"
    },
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "extendedMatch": {
     "type": "string"
    },
    "sequence": {
     "type": "number"
    },
    "name": {
     "type": "string"
    },
    "welcome": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotBot"
     }
    }
   },
   "required": [
    "asksForDelay",
    "delaySeconds",
    "extendedMatch",
    "forbidsUrl",
    "hidesLink",
    "host",
    "isPassive",
    "name",
    "sequence",
    "url",
    "welcome"
   ]
  },
  "SnapshotCaptcha": {
   "type": "object",
   "properties": {
    "keys": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotKey"
     }
    },
    "expirySeconds": {
     "type": "number"
    },
    "showsSuccess": {
     "type": "boolean"
    },
    "suspicionSeconds": {
     "type": "number"
    },
    "exceptions": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "policies": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotDdosPolicy"
     }
    },
    "pages": {
     "type": "object",
     "properties": {
      "challenge": {
       "$ref": "#/definitions/SnapshotPage"
      },
      "tooManyTries": {
       "$ref": "#/definitions/SnapshotPage"
      },
      "tooManyUnanswered": {
       "$ref": "#/definitions/SnapshotPage"
      }
     },
     "required": [
      "challenge",
      "tooManyTries",
      "tooManyUnanswered"
     ]
    }
   },
   "required": [
    "keys",
    "expirySeconds",
    "showsSuccess",
    "suspicionSeconds",
    "exceptions",
    "policies",
    "pages"
   ]
  },
  "SnapshotDdosPolicy": {
   "type": "object",
   "properties": {
    "asks": {
     "type": "string",
     "enum": [
      "all",
      "none",
      "suspicious"
     ]
    },
    "triesMax": {
     "type": "number"
    },
    "unansweredMax": {
     "type": "number"
    },
    "idleSeconds": {
     "type": "number"
    },
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "extendedMatch": {
     "type": "string"
    },
    "sequence": {
     "type": "number"
    },
    "name": {
     "type": "string"
    }
   },
   "required": [
    "asks",
    "extendedMatch",
    "host",
    "idleSeconds",
    "name",
    "sequence",
    "triesMax",
    "unansweredMax",
    "url"
   ]
  },
  "SnapshotServer": {
   "type": "object",
   "properties": {
    "connectionsMax": {
     "type": "number"
    },
    "establishingMax": {
     "type": "number"
    },
    "requestsPerConnectionMax": {
     "type": "number"
    },
    "waitingMax": {
     "type": "number"
    },
    "localAddress": {
     "type": "string"
    },
    "responseTimeoutMs": {
     "type": "number"
    },
    "name": {
     "type": "string"
    },
    "host": {
     "type": "string"
    },
    "port": {
     "type": "number"
    },
    "forbidden": {
     "$ref": "#/definitions/ForbiddenAddresses"
    },
    "state": {
     "type": "string",
     "enum": [
      "in-service",
      "sticky",
      "maintenance",
      "off"
     ]
    },
    "isBackup": {
     "type": "boolean"
    },
    "weight": {
     "type": "number"
    },
    "tls": {
     "$ref": "#/definitions/SnapshotServerTls"
    },
    "offersHttp2": {
     "type": "boolean"
    },
    "keepAliveMs": {
     "type": "number"
    },
    "health": {
     "$ref": "#/definitions/SnapshotHealth"
    }
   },
   "required": [
    "connectionsMax",
    "health",
    "host",
    "isBackup",
    "keepAliveMs",
    "name",
    "offersHttp2",
    "port",
    "requestsPerConnectionMax",
    "responseTimeoutMs",
    "state",
    "weight"
   ]
  },
  "SnapshotServerTls": {
   "type": "object",
   "properties": {
    "validatesCertificate": {
     "type": "boolean"
    },
    "oldestVersion": {
     "$ref": "#/definitions/TlsVersion"
    },
    "newestVersion": {
     "$ref": "#/definitions/TlsVersion"
    },
    "certificate": {
     "$ref": "#/definitions/SnapshotCertificate"
    }
   },
   "required": [
    "newestVersion",
    "oldestVersion",
    "validatesCertificate"
   ]
  },
  "SnapshotHealth": {
   "type": "object",
   "properties": {
    "refusedMax": {
     "type": "number"
    },
    "timeoutsMax": {
     "type": "number"
    },
    "httpErrorsMax": {
     "type": "number"
    },
    "otherFailuresMax": {
     "type": "number"
    },
    "probe": {
     "$ref": "#/definitions/SnapshotProbe"
    }
   },
   "required": [
    "httpErrorsMax",
    "otherFailuresMax",
    "refusedMax",
    "timeoutsMax"
   ]
  },
  "SnapshotProbe": {
   "type": "object",
   "properties": {
    "everySeconds": {
     "type": "number"
    },
    "request": {
     "type": "object",
     "properties": {
      "method": {
       "type": "string"
      },
      "path": {
       "type": "string"
      },
      "host": {
       "type": "string"
      },
      "headers": {
       "type": "array",
       "items": {
        "type": "string"
       }
      },
      "status": {
       "type": "number"
      },
      "contains": {
       "type": "string"
      }
     },
     "required": [
      "method",
      "path",
      "headers",
      "status"
     ]
    }
   },
   "required": [
    "everySeconds"
   ]
  },
  "SnapshotBalancing": {
   "type": "object",
   "properties": {
    "algorithm": {
     "type": "string",
     "enum": [
      "round-robin",
      "weighted-round-robin",
      "least-requests"
     ]
    },
    "persistence": {
     "$ref": "#/definitions/SnapshotPersistence"
    },
    "whenServerFails": {
     "type": "string",
     "enum": [
      "another",
      "error"
     ]
    }
   },
   "required": [
    "algorithm",
    "whenServerFails"
   ]
  },
  "SnapshotPersistence": {
   "anyOf": [
    {
     "type": "object",
     "properties": {
      "by": {
       "type": "string",
       "const": "source-address"
      },
      "prefixLength": {
       "type": "number"
      }
     },
     "required": [
      "by",
      "prefixLength"
     ]
    },
    {
     "type": "object",
     "properties": {
      "by": {
       "type": "string",
       "const": "cookie-insert"
      },
      "name": {
       "type": "string"
      },
      "key": {
       "type": "string"
      },
      "path": {
       "type": "string"
      },
      "domain": {
       "type": "string"
      },
      "maxAgeSeconds": {
       "type": "number"
      },
      "idleSeconds": {
       "type": "number"
      }
     },
     "required": [
      "by",
      "name",
      "path",
      "idleSeconds"
     ]
    },
    {
     "type": "object",
     "properties": {
      "by": {
       "type": "string",
       "const": "cookie-passive"
      },
      "name": {
       "type": "string"
      },
      "idleSeconds": {
       "type": "number"
      }
     },
     "required": [
      "by",
      "name",
      "idleSeconds"
     ]
    },
    {
     "type": "object",
     "properties": {
      "by": {
       "type": "string",
       "enum": [
        "header",
        "parameter"
       ]
      },
      "name": {
       "type": "string"
      }
     },
     "required": [
      "by",
      "name"
     ]
    }
   ]
  },
  "SnapshotContentRule": {
   "type": "object",
   "properties": {
    "name": {
     "type": "string"
    },
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "extendedMatch": {
     "type": "string"
    },
    "sequence": {
     "type": "number"
    },
    "servers": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotServer"
     }
    },
    "balancing": {
     "$ref": "#/definitions/SnapshotBalancing"
    },
    "logsAccess": {
     "type": "boolean"
    },
    "needsClientCertificate": {
     "type": "boolean"
    },
    "checks": {
     "$ref": "#/definitions/SnapshotRuleChecks"
    },
    "compression": {
     "$ref": "#/definitions/SnapshotCompression"
    },
    "caching": {
     "$ref": "#/definitions/SnapshotCaching"
    }
   },
   "required": [
    "name",
    "host",
    "url",
    "extendedMatch",
    "sequence",
    "servers",
    "balancing",
    "logsAccess"
   ]
  },
  "SnapshotRuleChecks": {
   "type": "object",
   "properties": {
    "mode": {
     "type": "string",
     "enum": [
      "passive",
      "active"
     ]
    },
    "own": {
     "$ref": "#/definitions/SnapshotOwnPolicy"
    }
   },
   "required": [
    "mode"
   ]
  },
  "SnapshotOwnPolicy": {
   "type": "object",
   "properties": {
    "policy": {
     "type": "string"
    },
    "cookieSecurity": {
     "$ref": "#/definitions/SnapshotCookieSecurity"
    },
    "profiles": {
     "$ref": "#/definitions/SnapshotProfiles"
    },
    "jsonProfiles": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotJsonProfile"
     }
    }
   },
   "required": [
    "policy"
   ]
  },
  "SnapshotCookieSecurity": {
   "type": "object",
   "properties": {
    "does": {
     "type": "string",
     "enum": [
      "encrypt",
      "nothing",
      "sign"
     ]
    },
    "exempted": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "ageMaxSeconds": {
     "type": "number"
    },
    "keys": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotKey"
     }
    },
    "bindsToAddress": {
     "type": "boolean"
    },
    "bindsToHeaders": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "takesUnsealedDays": {
     "type": "number"
    },
    "adds": {
     "$ref": "#/definitions/SnapshotAddedAttributes"
    }
   },
   "required": [
    "adds",
    "ageMaxSeconds",
    "bindsToAddress",
    "bindsToHeaders",
    "does",
    "exempted",
    "keys"
   ]
  },
  "SnapshotAddedAttributes": {
   "type": "object",
   "properties": {
    "httpOnly": {
     "type": "boolean"
    },
    "secure": {
     "type": "boolean"
    },
    "sameSite": {
     "type": "string",
     "enum": [
      "Lax",
      "None",
      "Strict"
     ]
    }
   },
   "required": [
    "httpOnly",
    "secure"
   ]
  },
  "SnapshotCompression": {
   "type": "object",
   "properties": {
    "contentTypes": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "sizeMin": {
     "type": "number"
    },
    "unknownTypes": {
     "type": "boolean"
    }
   },
   "required": [
    "contentTypes",
    "sizeMin",
    "unknownTypes"
   ]
  },
  "SnapshotCaching": {
   "type": "object",
   "properties": {
    "extensions": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "sizeMin": {
     "type": "number"
    },
    "sizeMax": {
     "type": "number"
    },
    "ageSeconds": {
     "type": "number"
    },
    "ignoresRequestHeaders": {
     "type": "boolean"
    },
    "ignoresResponseHeaders": {
     "type": "boolean"
    },
    "keepsErrors": {
     "type": "boolean"
    }
   },
   "required": [
    "extensions",
    "sizeMin",
    "sizeMax",
    "ageSeconds",
    "ignoresRequestHeaders",
    "ignoresResponseHeaders",
    "keepsErrors"
   ]
  },
  "SlowClientLimits": {
   "type": "object",
   "properties": {
    "bytesPerSecond": {
     "type": "number"
    },
    "request": {
     "$ref": "#/definitions/SlowClientTimeouts"
    },
    "response": {
     "$ref": "#/definitions/SlowClientTimeouts"
    },
    "exceptions": {
     "type": "array",
     "items": {
      "type": "string"
     }
    }
   },
   "required": [
    "bytesPerSecond",
    "request",
    "response",
    "exceptions"
   ]
  },
  "SlowClientTimeouts": {
   "type": "object",
   "properties": {
    "incrementalSeconds": {
     "type": "number"
    },
    "maxSeconds": {
     "type": "number"
    }
   },
   "required": [
    "incrementalSeconds",
    "maxSeconds"
   ]
  },
  "SnapshotAuthentication": {
   "type": "object",
   "properties": {
    "idleSeconds": {
     "type": "number"
    },
    "lifetimeSeconds": {
     "type": "number"
    },
    "bindsToClient": {
     "type": "boolean"
    },
    "cookieDomain": {
     "type": "string"
    },
    "cookiePath": {
     "type": "string"
    },
    "updateSeconds": {
     "type": "number"
    },
    "limitsFailures": {
     "type": "boolean"
    },
    "failuresMax": {
     "type": "number"
    },
    "failureWindowSeconds": {
     "type": "number"
    },
    "loginPath": {
     "type": "string"
    },
    "redirectUrl": {
     "type": "string"
    },
    "localName": {
     "type": "string"
    },
    "claim": {
     "type": "string"
    },
    "by": {
     "type": "string",
     "enum": [
      "local-users",
      "openid-connect",
      "directories",
      "nobody"
     ]
    },
    "realm": {
     "type": "string"
    },
    "users": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotLocalUser"
     }
    },
    "provider": {
     "$ref": "#/definitions/SnapshotOpenIdProvider"
    },
    "directories": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotLdapDirectory"
     }
    },
    "radiusServers": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotRadiusServer"
     }
    },
    "keys": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotKey"
     }
    },
    "exemptedClients": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "pages": {
     "$ref": "#/definitions/SnapshotSignInPages"
    },
    "policies": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotAuthorizationPolicy"
     }
    },
    "forbidden": {
     "$ref": "#/definitions/ForbiddenAddresses"
    }
   },
   "required": [
    "bindsToClient",
    "by",
    "cookiePath",
    "exemptedClients",
    "failureWindowSeconds",
    "failuresMax",
    "idleSeconds",
    "keys",
    "limitsFailures",
    "loginPath",
    "pages",
    "policies",
    "realm",
    "updateSeconds"
   ]
  },
  "SnapshotLocalUser": {
   "type": "object",
   "properties": {
    "passwordHash": {
     "type": "string"
    },
    "groups": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "name": {
     "type": "string"
    }
   },
   "required": [
    "groups",
    "name",
    "passwordHash"
   ]
  },
  "SnapshotOpenIdProvider": {
   "type": "object",
   "properties": {
    "issuer": {
     "type": "string"
    },
    "clientId": {
     "type": "string"
    },
    "clientSecret": {
     "type": "string"
    },
    "endpoints": {
     "type": "string",
     "enum": [
      "discovered",
      "given"
     ]
    },
    "metadataUrl": {
     "type": "string"
    },
    "authorizationEndpoint": {
     "type": "string"
    },
    "tokenEndpoint": {
     "type": "string"
    },
    "keysUrl": {
     "type": "string"
    },
    "userInfoEndpoint": {
     "type": "string"
    }
   },
   "required": [
    "authorizationEndpoint",
    "clientId",
    "clientSecret",
    "endpoints",
    "issuer",
    "keysUrl",
    "tokenEndpoint"
   ]
  },
  "SnapshotLdapDirectory": {
   "type": "object",
   "properties": {
    "address": {
     "type": "string"
    },
    "port": {
     "type": "number"
    },
    "encryption": {
     "type": "string",
     "enum": [
      "none",
      "start-tls",
      "tls"
     ]
    },
    "baseDn": {
     "type": "string"
    },
    "bindDn": {
     "type": "string"
    },
    "bindPassword": {
     "type": "string"
    },
    "loginAttribute": {
     "type": "string"
    },
    "domainAlias": {
     "type": "string"
    },
    "looksUpGroups": {
     "type": "boolean"
    },
    "groupFilter": {
     "type": "string"
    },
    "groupNameAttribute": {
     "type": "string"
    },
    "allowsNestedGroups": {
     "type": "boolean"
    }
   },
   "required": [
    "address",
    "allowsNestedGroups",
    "baseDn",
    "bindDn",
    "bindPassword",
    "encryption",
    "groupNameAttribute",
    "loginAttribute",
    "looksUpGroups",
    "port"
   ]
  },
  "SnapshotRadiusServer": {
   "type": "object",
   "properties": {
    "address": {
     "type": "string"
    },
    "port": {
     "type": "number"
    },
    "sharedSecret": {
     "type": "string"
    },
    "retries": {
     "type": "number"
    },
    "timeoutSeconds": {
     "type": "number"
    }
   },
   "required": [
    "address",
    "port",
    "retries",
    "sharedSecret",
    "timeoutSeconds"
   ]
  },
  "SnapshotSignInPages": {
   "type": "object",
   "properties": {
    "login": {
     "$ref": "#/definitions/SnapshotPage"
    },
    "loginFailed": {
     "anyOf": [
      {
       "$ref": "#/definitions/SnapshotPage"
      },
      {
       "type": "string"
      }
     ]
    },
    "loggedIn": {
     "anyOf": [
      {
       "$ref": "#/definitions/SnapshotPage"
      },
      {
       "type": "string"
      }
     ]
    },
    "loggedOut": {
     "anyOf": [
      {
       "$ref": "#/definitions/SnapshotPage"
      },
      {
       "type": "string"
      }
     ]
    },
    "denied": {
     "$ref": "#/definitions/SnapshotPage"
    }
   }
  },
  "SnapshotAuthorizationPolicy": {
   "type": "object",
   "properties": {
    "sequence": {
     "type": "number"
    },
    "allowsEverybody": {
     "type": "boolean"
    },
    "users": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "groups": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "loginMethod": {
     "type": "string",
     "enum": [
      "basic",
      "form"
     ]
    },
    "loginUrl": {
     "type": "string"
    },
    "deniedUrl": {
     "type": "string"
    },
    "isPersistent": {
     "type": "boolean"
    },
    "persistentSeconds": {
     "type": "number"
    },
    "sendsPassword": {
     "type": "boolean"
    },
    "scope": {
     "type": "string"
    },
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "extendedMatch": {
     "type": "string"
    },
    "name": {
     "type": "string"
    },
    "accessRules": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotAccessRule"
     }
    }
   },
   "required": [
    "accessRules",
    "allowsEverybody",
    "extendedMatch",
    "groups",
    "host",
    "isPersistent",
    "loginMethod",
    "name",
    "sendsPassword",
    "sequence",
    "url",
    "users"
   ]
  },
  "SnapshotAccessRule": {
   "type": "object",
   "properties": {
    "attributes": {
     "type": "array",
     "items": {
      "type": "object",
      "properties": {
       "name": {
        "type": "string"
       },
       "value": {
        "type": "string"
       }
      },
      "required": [
       "name",
       "value"
      ]
     }
    }
   },
   "required": [
    "attributes"
   ]
  },
  "SnapshotUrlEncryption": {
   "type": "object",
   "properties": {
    "keys": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotKey"
     }
    },
    "rules": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotUrlEncryptionRule"
     }
    }
   },
   "required": [
    "keys",
    "rules"
   ]
  },
  "SnapshotUrlEncryptionRule": {
   "type": "object",
   "properties": {
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "allowsPlainRequests": {
     "type": "boolean"
    },
    "excludedUrls": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "name": {
     "type": "string"
    }
   },
   "required": [
    "allowsPlainRequests",
    "excludedUrls",
    "host",
    "name",
    "url"
   ]
  },
  "SnapshotForms": {
   "type": "object",
   "properties": {
    "keys": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotKey"
     }
    },
    "parameter": {
     "type": "string"
    },
    "validitySeconds": {
     "type": "number"
    },
    "honeypot": {
     "type": "string"
    }
   },
   "required": [
    "keys",
    "parameter",
    "validitySeconds"
   ]
  },
  "SnapshotRewriting": {
   "type": "object",
   "properties": {
    "requests": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotRequestRewrite"
     }
    },
    "responses": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotResponseRewrite"
     }
    },
    "bodies": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotBodyRewrite"
     }
    },
    "translations": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotTranslation"
     }
    },
    "secureHosts": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "frames": {
     "$ref": "#/definitions/SnapshotFrames"
    },
    "contentSecurity": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotContentSecurityRule"
     }
    }
   },
   "required": [
    "requests",
    "responses",
    "bodies",
    "translations",
    "secureHosts"
   ]
  },
  "SnapshotRequestRewrite": {
   "anyOf": [
    {
     "$ref": "#/definitions/SnapshotHeaderChange"
    },
    {
     "$ref": "#/definitions/SnapshotUrlChange"
    }
   ]
  },
  "SnapshotHeaderChange": {
   "type": "object",
   "properties": {
    "condition": {
     "type": "string"
    },
    "oldValue": {
     "type": "string"
    },
    "newValue": {
     "type": "string"
    },
    "continues": {
     "type": "boolean"
    },
    "does": {
     "type": "string",
     "enum": [
      "insert-header",
      "remove-header",
      "rewrite-header"
     ]
    },
    "header": {
     "type": "string"
    }
   },
   "required": [
    "condition",
    "continues",
    "does",
    "header",
    "newValue",
    "oldValue"
   ]
  },
  "SnapshotUrlChange": {
   "type": "object",
   "properties": {
    "condition": {
     "type": "string"
    },
    "oldValue": {
     "type": "string"
    },
    "newValue": {
     "type": "string"
    },
    "continues": {
     "type": "boolean"
    },
    "does": {
     "type": "string",
     "enum": [
      "rewrite-url",
      "redirect-url"
     ]
    }
   },
   "required": [
    "condition",
    "continues",
    "does",
    "newValue",
    "oldValue"
   ]
  },
  "SnapshotResponseRewrite": {
   "$ref": "#/definitions/SnapshotHeaderChange"
  },
  "SnapshotBodyRewrite": {
   "type": "object",
   "properties": {
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "search": {
     "type": "string"
    },
    "replacement": {
     "type": "string"
    }
   },
   "required": [
    "host",
    "url",
    "search",
    "replacement"
   ]
  },
  "SnapshotTranslation": {
   "type": "object",
   "properties": {
    "inside": {
     "type": "object",
     "properties": {
      "host": {
       "type": "string"
      },
      "prefix": {
       "type": "string"
      }
     },
     "required": [
      "host",
      "prefix"
     ]
    },
    "outside": {
     "type": "object",
     "properties": {
      "host": {
       "type": "string"
      },
      "prefix": {
       "type": "string"
      }
     },
     "required": [
      "host",
      "prefix"
     ]
    }
   },
   "required": [
    "inside",
    "outside"
   ]
  },
  "SnapshotFrames": {
   "type": "object",
   "properties": {
    "by": {
     "type": "string",
     "enum": [
      "never",
      "same-origin",
      "origin"
     ]
    },
    "origin": {
     "type": "string"
    }
   },
   "required": [
    "by"
   ]
  },
  "SnapshotContentSecurityRule": {
   "type": "object",
   "properties": {
    "host": {
     "type": "string"
    },
    "url": {
     "type": "string"
    },
    "extendedMatch": {
     "type": "string"
    },
    "sequence": {
     "type": "number"
    },
    "blocking": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "reporting": {
     "type": "array",
     "items": {
      "type": "string"
     }
    }
   },
   "required": [
    "blocking",
    "extendedMatch",
    "host",
    "reporting",
    "sequence",
    "url"
   ]
  },
  "SnapshotStoredTraffic": {
   "type": "object",
   "properties": {
    "ordinaryShare": {
     "type": "number"
    },
    "bodyBytesMax": {
     "type": "number"
    }
   },
   "required": [
    "ordinaryShare",
    "bodyBytesMax"
   ]
  },
  "SnapshotPolicy": {
   "type": "object",
   "properties": {
    "name": {
     "type": "string"
    },
    "actions": {
     "type": "object",
     "additionalProperties": {
      "$ref": "#/definitions/SnapshotAction"
     }
    },
    "denials": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotDenial"
     }
    },
    "requestLimits": {
     "$ref": "#/definitions/SnapshotRequestLimits"
    },
    "normalization": {
     "$ref": "#/definitions/SnapshotNormalization"
    },
    "globalAcls": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotUrlAcl"
     }
    },
    "urlProtection": {
     "$ref": "#/definitions/SnapshotUrlProtection"
    },
    "parameterProtection": {
     "$ref": "#/definitions/SnapshotParameterProtection"
    },
    "secondStage": {
     "$ref": "#/definitions/SnapshotSecondStage"
    },
    "hiddenHeaders": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "hiddenErrors": {
     "type": "object",
     "properties": {
      "exceptStatuses": {
       "type": "array",
       "items": {
        "type": "number"
       }
      },
      "page": {
       "$ref": "#/definitions/SnapshotPage"
      }
     },
     "required": [
      "exceptStatuses",
      "page"
     ]
    },
    "tarpit": {
     "$ref": "#/definitions/SnapshotTarpit"
    },
    "protectedData": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotProtectedData"
     }
    }
   },
   "required": [
    "name",
    "actions",
    "denials",
    "normalization",
    "globalAcls",
    "hiddenHeaders",
    "tarpit",
    "protectedData"
   ]
  },
  "SnapshotAction": {
   "type": "object",
   "properties": {
    "category": {
     "type": "string"
    },
    "denies": {
     "type": "boolean"
    },
    "logs": {
     "type": "boolean"
    },
    "denial": {
     "type": "number"
    },
    "followUp": {
     "$ref": "#/definitions/SnapshotFollowUp"
    },
    "captchaSeconds": {
     "type": "number"
    }
   },
   "required": [
    "category",
    "denies",
    "logs",
    "denial"
   ]
  },
  "SnapshotRequestLimits": {
   "type": "object",
   "properties": {
    "headBytes": {
     "type": "number"
    },
    "requestLineBytes": {
     "type": "number"
    },
    "urlBytes": {
     "type": "number"
    },
    "queryBytes": {
     "type": "number"
    },
    "headers": {
     "type": "number"
    },
    "headerNameBytes": {
     "type": "number"
    },
    "headerValueBytes": {
     "type": "number"
    },
    "cookies": {
     "type": "number"
    },
    "cookieNameBytes": {
     "type": "number"
    },
    "cookieValueBytes": {
     "type": "number"
    }
   },
   "required": [
    "headBytes",
    "requestLineBytes",
    "urlBytes",
    "queryBytes",
    "headers",
    "headerNameBytes",
    "headerValueBytes",
    "cookies",
    "cookieNameBytes",
    "cookieValueBytes"
   ]
  },
  "SnapshotNormalization": {
   "type": "object",
   "properties": {
    "charset": {
     "type": "string"
    },
    "decodesTwice": {
     "type": "boolean"
    },
    "narrowsCharacters": {
     "type": "boolean"
    },
    "parameterSeparators": {
     "type": "string"
    }
   },
   "required": [
    "decodesTwice",
    "narrowsCharacters",
    "parameterSeparators"
   ]
  },
  "SnapshotUrlProtection": {
   "type": "object",
   "properties": {
    "methods": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "contentTypes": {
     "type": "array",
     "items": {
      "type": "string"
     }
    },
    "contentBytes": {
     "type": "number"
    },
    "parameters": {
     "type": "number"
    },
    "parameterNameCharacters": {
     "type": "number"
    },
    "files": {
     "type": "number"
    },
    "csrf": {
     "type": "string",
     "enum": [
      "forms",
      "forms-and-urls"
     ]
    },
    "allowsQuery": {
     "type": "boolean"
    },
    "attackTypes": {
     "$ref": "#/definitions/SnapshotAttackTypes"
    }
   },
   "required": [
    "allowsQuery",
    "attackTypes",
    "contentBytes",
    "contentTypes",
    "files",
    "methods",
    "parameterNameCharacters"
   ]
  },
  "SnapshotParameterProtection": {
   "type": "object",
   "properties": {
    "deniedCharacters": {
     "type": "string"
    },
    "valueCharacters": {
     "type": "number"
    },
    "instances": {
     "type": "number"
    },
    "checksNames": {
     "type": "boolean"
    },
    "decodesBase64": {
     "type": "boolean"
    },
    "uploads": {
     "$ref": "#/definitions/SnapshotUploads"
    },
    "attackTypes": {
     "$ref": "#/definitions/SnapshotAttackTypes"
    },
    "ignored": {
     "type": "array",
     "items": {
      "type": "string"
     }
    }
   },
   "required": [
    "attackTypes",
    "checksNames",
    "decodesBase64",
    "deniedCharacters",
    "ignored",
    "uploads",
    "valueCharacters"
   ]
  },
  "SnapshotSecondStage": {
   "type": "object",
   "properties": {
    "excludedParameters": {
     "type": "array",
     "items": {
      "type": "string"
     }
    }
   },
   "required": [
    "excludedParameters"
   ]
  },
  "SnapshotTarpit": {
   "type": "object",
   "properties": {
    "delaySeconds": {
     "type": "number"
    },
    "backlogMax": {
     "type": "number"
    },
    "silenceSeconds": {
     "type": "number"
    }
   },
   "required": [
    "delaySeconds",
    "backlogMax",
    "silenceSeconds"
   ]
  },
  "SnapshotProtectedData": {
   "type": "object",
   "properties": {
    "does": {
     "type": "string",
     "enum": [
      "block",
      "cloak"
     ]
    },
    "keepsInitial": {
     "type": "number"
    },
    "keepsTrailing": {
     "type": "number"
    },
    "name": {
     "type": "string"
    },
    "patterns": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotPattern"
     }
    }
   },
   "required": [
    "does",
    "keepsInitial",
    "keepsTrailing",
    "name",
    "patterns"
   ]
  },
  "SnapshotChallenges": {
   "type": "object",
   "properties": {
    "http": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotHttpChallenge"
     }
    },
    "tls": {
     "type": "array",
     "items": {
      "$ref": "#/definitions/SnapshotTlsChallenge"
     }
    }
   },
   "required": [
    "http",
    "tls"
   ]
  },
  "SnapshotHttpChallenge": {
   "type": "object",
   "properties": {
    "token": {
     "type": "string"
    },
    "keyAuthorization": {
     "type": "string"
    }
   },
   "required": [
    "token",
    "keyAuthorization"
   ]
  },
  "SnapshotTlsChallenge": {
   "type": "object",
   "properties": {
    "name": {
     "type": "string"
    },
    "certificate": {
     "$ref": "#/definitions/SnapshotCertificate"
    }
   },
   "required": [
    "name",
    "certificate"
   ]
  }
 }
}

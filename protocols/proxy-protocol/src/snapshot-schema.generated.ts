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
    "urlEncryption": {
     "$ref": "#/definitions/SnapshotUrlEncryption"
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
    }
   },
   "required": [
    "areRequired",
    "authorities"
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
    "requestPool": {
     "$ref": "#/definitions/SnapshotRequestPool"
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

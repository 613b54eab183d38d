import type { AdministeredResource } from './administered-resource.ts'

/** The resources of /admin/v1 by their paths. Made from the contract by `npm run contract`. */
export const administeredResources = {
  "/operators": {
    "idParameter": "operator",
    "id": "username",
    "filters": {
      "username": "operators whose name begins with this"
    },
    "orders": [
      "username",
      "-username",
      "createdAt",
      "-createdAt"
    ],
    "operations": {
      "list": "listOperators",
      "create": "createOperator",
      "read": "getOperator",
      "update": "updateOperator",
      "delete": "deleteOperator"
    },
    "creation": {
      "username": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": ""
      },
      "password": {
        "type": "string",
        "isNullable": true,
        "values": [],
        "isRequired": false,
        "isSecret": true,
        "description": "null for one who logs in by other means"
      },
      "displayName": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "grants": {
        "type": "objects",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": ""
      },
      "identity": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      }
    },
    "change": {
      "password": {
        "type": "string",
        "isNullable": true,
        "values": [],
        "isRequired": false,
        "isSecret": true,
        "description": "null for one who logs in by other means"
      },
      "displayName": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "grants": {
        "type": "objects",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "isDisabled": {
        "type": "boolean",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      }
    },
    "actions": [
      {
        "name": "password",
        "operation": "passwordOfOperator",
        "summary": "Change the own password, which ends all sessions",
        "members": {
          "currentPassword": {
            "type": "string",
            "isNullable": false,
            "values": [],
            "isRequired": true,
            "isSecret": true,
            "description": ""
          },
          "newPassword": {
            "type": "string",
            "isNullable": false,
            "values": [],
            "isRequired": true,
            "isSecret": true,
            "description": ""
          }
        }
      },
      {
        "name": "totp",
        "operation": "totpOfOperator",
        "summary": "Begin to use an authenticator app as the second factor",
        "members": {}
      },
      {
        "name": "totp-confirm",
        "operation": "totpConfirmOfOperator",
        "summary": "Confirm the authenticator app with a code: from then on each login needs one",
        "members": {
          "code": {
            "type": "string",
            "isNullable": false,
            "values": [],
            "isRequired": true,
            "isSecret": false,
            "description": ""
          }
        }
      },
      {
        "name": "totp-remove",
        "operation": "totpRemoveOfOperator",
        "summary": "Remove the second factor",
        "members": {
          "code": {
            "type": "string",
            "isNullable": false,
            "values": [],
            "isRequired": false,
            "isSecret": false,
            "description": ""
          }
        }
      },
      {
        "name": "passkey-options",
        "operation": "passkeyOptionsOfOperator",
        "summary": "Begin to register a passkey (WebAuthn)",
        "members": {
          "currentPassword": {
            "type": "string",
            "isNullable": false,
            "values": [],
            "isRequired": true,
            "isSecret": true,
            "description": ""
          }
        }
      },
      {
        "name": "passkey-register",
        "operation": "passkeyRegisterOfOperator",
        "summary": "Register a passkey: from then on each login needs one, or a code",
        "members": {
          "name": {
            "type": "string",
            "isNullable": false,
            "values": [],
            "isRequired": true,
            "isSecret": false,
            "description": ""
          },
          "ticket": {
            "type": "string",
            "isNullable": false,
            "values": [],
            "isRequired": true,
            "isSecret": false,
            "description": ""
          },
          "credential": {
            "type": "string",
            "isNullable": false,
            "values": [],
            "isRequired": true,
            "isSecret": false,
            "description": ""
          }
        }
      }
    ]
  },
  "/operators/{operator}/passkeys": {
    "idParameter": "passkey",
    "id": "id",
    "filters": {},
    "orders": [
      "createdAt",
      "-createdAt"
    ],
    "operations": {
      "list": "listOperatorPasskeys",
      "create": null,
      "read": "getOperatorPasskey",
      "update": "updateOperatorPasskey",
      "delete": "deleteOperatorPasskey"
    },
    "creation": {},
    "change": {
      "name": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      }
    },
    "actions": []
  },
  "/operators/{operator}/sessions": {
    "idParameter": "session",
    "id": "id",
    "filters": {},
    "orders": [
      "createdAt",
      "-createdAt"
    ],
    "operations": {
      "list": "listOperatorSessions",
      "create": null,
      "read": "getOperatorSession",
      "update": null,
      "delete": "deleteOperatorSession"
    },
    "creation": {},
    "change": {},
    "actions": []
  },
  "/operators/{operator}/tokens": {
    "idParameter": "token",
    "id": "id",
    "filters": {},
    "orders": [
      "createdAt",
      "-createdAt"
    ],
    "operations": {
      "list": "listOperatorTokens",
      "create": "createOperatorToken",
      "read": "getOperatorToken",
      "update": null,
      "delete": "deleteOperatorToken"
    },
    "creation": {
      "name": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": ""
      },
      "grants": {
        "type": "objects",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": ""
      },
      "lifetimeDays": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": ""
      }
    },
    "change": {},
    "actions": []
  },
  "/audit": {
    "idParameter": "entry",
    "id": "id",
    "filters": {
      "service": "of one service",
      "actor": "by one actor",
      "action": "of one action",
      "target": "of one target",
      "text": "that hold this text in their actor, address, action or target; large and small letters of ASCII are alike",
      "from": "from this moment on (RFC 3339)",
      "to": "before this moment (RFC 3339)"
    },
    "orders": [
      "at",
      "-at"
    ],
    "operations": {
      "list": "listAuditEntries",
      "create": null,
      "read": "getAuditEntry",
      "update": null,
      "delete": null
    },
    "creation": {},
    "change": {},
    "actions": []
  },
  "/attention": {
    "idParameter": "attention",
    "id": "id",
    "filters": {
      "resolved": "true for what has passed, false for what lasts; false when left out",
      "service": "of one service",
      "severity": "of one severity",
      "condition": "of one condition"
    },
    "orders": [
      "since",
      "-since"
    ],
    "operations": {
      "list": "listAttentions",
      "create": null,
      "read": "getAttention",
      "update": null,
      "delete": null
    },
    "creation": {},
    "change": {},
    "actions": []
  },
  "/channels": {
    "idParameter": "channel",
    "id": "name",
    "filters": {},
    "orders": [
      "name",
      "-name"
    ],
    "operations": {
      "list": "listChannels",
      "create": "createChannel",
      "read": "getChannel",
      "update": "updateChannel",
      "delete": "deleteChannel"
    },
    "creation": {
      "name": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": "What routes call it."
      },
      "webhook": {
        "type": "object",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "email": {
        "type": "object",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "syslog": {
        "type": "object",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      }
    },
    "change": {
      "webhook": {
        "type": "object",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "email": {
        "type": "object",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "syslog": {
        "type": "object",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      }
    },
    "actions": [
      {
        "name": "test",
        "operation": "testChannel",
        "summary": "Send a test to a channel",
        "members": {}
      }
    ]
  },
  "/routes": {
    "idParameter": "route",
    "id": "id",
    "filters": {},
    "orders": [
      "createdAt",
      "-createdAt"
    ],
    "operations": {
      "list": "listRoutes",
      "create": "createRoute",
      "read": "getRoute",
      "update": "updateRoute",
      "delete": "deleteRoute"
    },
    "creation": {
      "channels": {
        "type": "strings",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": "The channels that are told."
      },
      "severities": {
        "type": "strings",
        "isNullable": false,
        "values": [
          "critical",
          "warning",
          "info"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": "All of them when left out."
      },
      "services": {
        "type": "strings",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "All of them when left out."
      },
      "quietHours": {
        "type": "object",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "What is not critical waits until they are over."
      },
      "groupSeconds": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "What happens within this time goes into one message, and what passes within it into none."
      }
    },
    "change": {
      "channels": {
        "type": "strings",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "The channels that are told."
      },
      "severities": {
        "type": "strings",
        "isNullable": true,
        "values": [
          "critical",
          "warning",
          "info"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "services": {
        "type": "strings",
        "isNullable": true,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "quietHours": {
        "type": "object",
        "isNullable": true,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "groupSeconds": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "What happens within this time goes into one message, and what passes within it into none."
      }
    },
    "actions": [
      {
        "name": "test",
        "operation": "testRoute",
        "summary": "Send a test to all channels of a route",
        "members": {}
      }
    ]
  },
  "/firewall/administrators": {
    "idParameter": "administrator",
    "id": "username",
    "filters": {},
    "orders": [
      "username",
      "-username"
    ],
    "operations": {
      "list": "listFirewallAdministrators",
      "create": null,
      "read": "getFirewallAdministrator",
      "update": null,
      "delete": null
    },
    "creation": {},
    "change": {},
    "actions": [
      {
        "name": "token",
        "operation": "tokenOfFirewallAdministrator",
        "summary": "Get a token of the firewall API, as its login gives one; it only reads for those who may only read",
        "members": {}
      }
    ]
  },
  "/awareness/users": {
    "idParameter": "user",
    "id": "username",
    "filters": {
      "username": "users whose name begins with this"
    },
    "orders": [
      "username",
      "-username"
    ],
    "operations": {
      "list": "listAwarenessUsers",
      "create": "createAwarenessUser",
      "read": "getAwarenessUser",
      "update": "updateAwarenessUser",
      "delete": "deleteAwarenessUser"
    },
    "creation": {
      "username": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": "no blanks and none of / ? # %"
      },
      "password": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": true,
        "description": ""
      },
      "permissions": {
        "type": "strings",
        "isNullable": false,
        "values": [
          "campaigns",
          "results"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      }
    },
    "change": {
      "password": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": true,
        "description": ""
      },
      "permissions": {
        "type": "strings",
        "isNullable": false,
        "values": [
          "campaigns",
          "results"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      }
    },
    "actions": []
  },
  "/awareness/api-keys": {
    "idParameter": "key",
    "id": "id",
    "filters": {
      "name": "keys whose name begins with this",
      "username": "keys of this user alone"
    },
    "orders": [
      "name",
      "-name"
    ],
    "operations": {
      "list": "listAwarenessAPIKeys",
      "create": "createAwarenessAPIKey",
      "read": "getAwarenessAPIKey",
      "update": "updateAwarenessAPIKey",
      "delete": "deleteAwarenessAPIKey"
    },
    "creation": {
      "name": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": ""
      },
      "username": {
        "type": "string",
        "isNullable": true,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "the only user who may use the key; anybody when null"
      },
      "allowedAddresses": {
        "type": "strings",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "addresses and networks from which the key is accepted; from anywhere when empty"
      }
    },
    "change": {
      "name": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "username": {
        "type": "string",
        "isNullable": true,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "the only user who may use the key; anybody when null"
      },
      "allowedAddresses": {
        "type": "strings",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "addresses and networks from which the key is accepted; from anywhere when empty"
      }
    },
    "actions": []
  },
  "/awareness/campaigns": {
    "idParameter": "campaign",
    "id": "id",
    "filters": {
      "name": "campaigns whose name begins with this; in the order of names",
      "status": "campaigns that have come so far: Created, Queued, In progress, Emails Sent, Completed"
    },
    "orders": [
      "id",
      "-id",
      "name",
      "-name"
    ],
    "operations": {
      "list": "listAwarenessCampaigns",
      "create": "createAwarenessCampaign",
      "read": "getAwarenessCampaign",
      "update": "updateAwarenessCampaign",
      "delete": "deleteAwarenessCampaign"
    },
    "creation": {
      "id": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "the one after the largest when left out"
      },
      "name": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": ""
      },
      "status": {
        "type": "string",
        "isNullable": false,
        "values": [
          "Created",
          "Queued",
          "In progress",
          "Emails Sent",
          "Completed"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "created": {
        "type": "string",
        "isNullable": true,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "a moment in UTC, or null where it has not come yet"
      },
      "launched": {
        "type": "string",
        "isNullable": true,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "a moment in UTC, or null where it has not come yet"
      },
      "completed": {
        "type": "string",
        "isNullable": true,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "a moment in UTC, or null where it has not come yet"
      },
      "sent": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "messages that were sent"
      },
      "opened": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "messages that were opened"
      },
      "clicked": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "messages in which a link was followed"
      },
      "submitted": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "messages that were answered with data"
      },
      "reported": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "messages that were reported"
      }
    },
    "change": {
      "name": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "status": {
        "type": "string",
        "isNullable": false,
        "values": [
          "Created",
          "Queued",
          "In progress",
          "Emails Sent",
          "Completed"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "created": {
        "type": "string",
        "isNullable": true,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "a moment in UTC, or null where it has not come yet"
      },
      "launched": {
        "type": "string",
        "isNullable": true,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "a moment in UTC, or null where it has not come yet"
      },
      "completed": {
        "type": "string",
        "isNullable": true,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "a moment in UTC, or null where it has not come yet"
      },
      "sent": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "messages that were sent"
      },
      "opened": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "messages that were opened"
      },
      "clicked": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "messages in which a link was followed"
      },
      "submitted": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "messages that were answered with data"
      },
      "reported": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "messages that were reported"
      }
    },
    "actions": []
  },
  "/backup/accounts": {
    "idParameter": "account",
    "id": "id",
    "filters": {
      "deleted": "true for what was deleted and can be taken back; false by default"
    },
    "orders": [
      "id",
      "-id"
    ],
    "operations": {
      "list": "listBackupAccounts",
      "create": "createBackupAccount",
      "read": "getBackupAccount",
      "update": null,
      "delete": "deleteBackupAccount"
    },
    "creation": {
      "id": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": "The id, a part of addresses."
      }
    },
    "change": {},
    "actions": [
      {
        "name": "undelete",
        "operation": "undeleteOfBackupAccount",
        "summary": "Take a deleted account back, with the computers that were deleted with it",
        "members": {}
      }
    ]
  },
  "/backup/accounts/{account}/computers": {
    "idParameter": "computer",
    "id": "id",
    "filters": {
      "deleted": "true for what was deleted and can be taken back; false by default",
      "name": "computers whose name begins with this"
    },
    "orders": [
      "id",
      "-id",
      "name",
      "-name"
    ],
    "operations": {
      "list": "listComputers",
      "create": "createComputer",
      "read": "getComputer",
      "update": "updateComputer",
      "delete": "deleteComputer"
    },
    "creation": {
      "id": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": "The id, a part of addresses."
      },
      "name": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": ""
      }
    },
    "change": {
      "name": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      }
    },
    "actions": [
      {
        "name": "enrolment-key",
        "operation": "enrolmentKeyOfComputer",
        "summary": "Make a new enrolment key; the former one ends, and an agent that has enrolled keeps its credential",
        "members": {}
      },
      {
        "name": "revoke",
        "operation": "revokeOfComputer",
        "summary": "Shut the agent out at once, end the enrolment key, and have all backups of the computer verified",
        "members": {}
      },
      {
        "name": "undelete",
        "operation": "undeleteOfComputer",
        "summary": "Take a deleted computer back, with its agent, its sets and all revisions",
        "members": {}
      }
    ]
  },
  "/backup/api-clients": {
    "idParameter": "client",
    "id": "clientId",
    "filters": {
      "clientId": "clients whose clientId begins with this"
    },
    "orders": [
      "clientId",
      "-clientId"
    ],
    "operations": {
      "list": "listBackupAPIClients",
      "create": "createBackupAPIClient",
      "read": "getBackupAPIClient",
      "update": "updateBackupAPIClient",
      "delete": "deleteBackupAPIClient"
    },
    "creation": {
      "clientId": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": "letters, digits and . _ ~ @ -, with a letter or digit in front"
      },
      "accounts": {
        "type": "strings",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": "what the client may ask about, by the ids of accounts"
      },
      "scopes": {
        "type": "strings",
        "isNullable": false,
        "values": [
          "accounts_read",
          "accounts_write",
          "computers_read",
          "computers_write"
        ],
        "isRequired": true,
        "isSecret": false,
        "description": ""
      }
    },
    "change": {
      "accounts": {
        "type": "strings",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "what the client may ask about, by the ids of accounts"
      },
      "scopes": {
        "type": "strings",
        "isNullable": false,
        "values": [
          "accounts_read",
          "accounts_write",
          "computers_read",
          "computers_write"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      }
    },
    "actions": [
      {
        "name": "secret",
        "operation": "secretOfBackupAPIClient",
        "summary": "Make another secret; the former one goes on for as long as is said",
        "members": {
          "overlapHours": {
            "type": "integer",
            "isNullable": false,
            "values": [],
            "isRequired": true,
            "isSecret": false,
            "description": "how long the former secret goes on, and the tokens that were issued for it"
          }
        }
      }
    ]
  },
  "/email/accounts": {
    "idParameter": "account",
    "id": "id",
    "filters": {
      "name": "accounts whose name begins with this",
      "status": "accounts of this status: ACTIVE, SUSPENDED, DISABLED"
    },
    "orders": [
      "name",
      "-name",
      "id",
      "-id"
    ],
    "operations": {
      "list": "listEmailAccounts",
      "create": "createEmailAccount",
      "read": "getEmailAccount",
      "update": "updateEmailAccount",
      "delete": "deleteEmailAccount"
    },
    "creation": {
      "id": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": "no blanks and none of / ? # %"
      },
      "name": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "region": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "status": {
        "type": "string",
        "isNullable": false,
        "values": [
          "ACTIVE",
          "SUSPENDED",
          "DISABLED"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": "what callers are told; nothing else comes of it"
      }
    },
    "change": {
      "name": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "region": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      },
      "status": {
        "type": "string",
        "isNullable": false,
        "values": [
          "ACTIVE",
          "SUSPENDED",
          "DISABLED"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": "what callers are told; nothing else comes of it"
      }
    },
    "actions": []
  },
  "/email/accounts/{account}/domains": {
    "idParameter": "domain",
    "id": "id",
    "filters": {
      "name": "domains whose name begins with this",
      "status": "domains of this status: VERIFIED, UNVERIFIED, DISABLED"
    },
    "orders": [
      "name",
      "-name"
    ],
    "operations": {
      "list": "listEmailDomains",
      "create": "createEmailDomain",
      "read": "getEmailDomain",
      "update": "updateEmailDomain",
      "delete": "deleteEmailDomain"
    },
    "creation": {
      "id": {
        "type": "integer",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "the one after the largest of the account when left out"
      },
      "name": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": "a name that DNS can have"
      },
      "status": {
        "type": "string",
        "isNullable": false,
        "values": [
          "VERIFIED",
          "UNVERIFIED",
          "DISABLED"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": "UNVERIFIED domains are verified by DNS; the others stay as they are set"
      },
      "type": {
        "type": "string",
        "isNullable": false,
        "values": [
          "ESS",
          "CPL"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      }
    },
    "change": {
      "name": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "a name that DNS can have"
      },
      "status": {
        "type": "string",
        "isNullable": false,
        "values": [
          "VERIFIED",
          "UNVERIFIED",
          "DISABLED"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": "UNVERIFIED domains are verified by DNS; the others stay as they are set"
      },
      "type": {
        "type": "string",
        "isNullable": false,
        "values": [
          "ESS",
          "CPL"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      }
    },
    "actions": []
  },
  "/email/api-clients": {
    "idParameter": "client",
    "id": "clientId",
    "filters": {
      "clientId": "clients whose clientId begins with this"
    },
    "orders": [
      "clientId",
      "-clientId"
    ],
    "operations": {
      "list": "listEmailAPIClients",
      "create": "createEmailAPIClient",
      "read": "getEmailAPIClient",
      "update": "updateEmailAPIClient",
      "delete": "deleteEmailAPIClient"
    },
    "creation": {
      "clientId": {
        "type": "string",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": "letters, digits and . _ ~ @ -, with a letter or digit in front"
      },
      "accounts": {
        "type": "strings",
        "isNullable": false,
        "values": [],
        "isRequired": true,
        "isSecret": false,
        "description": "what the client may ask about, by the ids of accounts"
      },
      "scopes": {
        "type": "strings",
        "isNullable": false,
        "values": [
          "ess:account:read",
          "ess:account:write"
        ],
        "isRequired": true,
        "isSecret": false,
        "description": ""
      }
    },
    "change": {
      "accounts": {
        "type": "strings",
        "isNullable": false,
        "values": [],
        "isRequired": false,
        "isSecret": false,
        "description": "what the client may ask about, by the ids of accounts"
      },
      "scopes": {
        "type": "strings",
        "isNullable": false,
        "values": [
          "ess:account:read",
          "ess:account:write"
        ],
        "isRequired": false,
        "isSecret": false,
        "description": ""
      }
    },
    "actions": [
      {
        "name": "secret",
        "operation": "secretOfEmailAPIClient",
        "summary": "Make another secret; the former one goes on for as long as is said",
        "members": {
          "overlapHours": {
            "type": "integer",
            "isNullable": false,
            "values": [],
            "isRequired": true,
            "isSecret": false,
            "description": "how long the former secret goes on, and the tokens that were issued for it"
          }
        }
      }
    ]
  }
} as const satisfies Readonly<Record<string, AdministeredResource>>

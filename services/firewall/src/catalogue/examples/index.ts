import accessRule from './access-rule.json' with { type: 'json' }
import actionPolicy from './action-policy.json' with { type: 'json' }
import adaptiveProfilingRule from './adaptive-profiling-rule.json' with { type: 'json' }
import adminIpRange from './admin-ip-range.json' with { type: 'json' }
import administratorRole from './administrator-role.json' with { type: 'json' }
import allowOrDenyClient from './allow-or-deny-client.json' with { type: 'json' }
import attackType from './attack-type.json' with { type: 'json' }
import attackTypePattern from './attack-type-pattern.json' with { type: 'json' }
import authorizationPolicy from './authorization-policy.json' with { type: 'json' }
import autoSystemAcl from './auto-system-acl.json' with { type: 'json' }
import bond from './bond.json' with { type: 'json' }
import botSpamType from './bot-spam-type.json' with { type: 'json' }
import clientCertificateCrl from './client-certificate-crl.json' with { type: 'json' }
import clientSideProtectionRule from './client-side-protection-rule.json' with { type: 'json' }
import cluster from './cluster.json' with { type: 'json' }
import configurationBackup from './configuration-backup.json' with { type: 'json' }
import controlCenter from './control-center.json' with { type: 'json' }
import credentialServer from './credential-server.json' with { type: 'json' }
import cspPolicy from './csp-policy.json' with { type: 'json' }
import customIpBlocklist from './custom-ip-blocklist.json' with { type: 'json' }
import customParameterClass from './custom-parameter-class.json' with { type: 'json' }
import dataTheftProtection from './data-theft-protection.json' with { type: 'json' }
import ddosPolicy from './ddos-policy.json' with { type: 'json' }
import destinationNat from './destination-nat.json' with { type: 'json' }
import type { ExampleFile } from './example-file.ts'
import externalLdapService from './external-ldap-service.json' with { type: 'json' }
import externalRadiusService from './external-radius-service.json' with { type: 'json' }
import formSpamForm from './form-spam-form.json' with { type: 'json' }
import geoPool from './geo-pool.json' with { type: 'json' }
import geoipAllowedNetwork from './geoip-allowed-network.json' with { type: 'json' }
import geoipBlockedNetwork from './geoip-blocked-network.json' with { type: 'json' }
import globalAcl from './global-acl.json' with { type: 'json' }
import headerAcl from './header-acl.json' with { type: 'json' }
import httpRequestRewrite from './http-request-rewrite.json' with { type: 'json' }
import httpResponseRewrite from './http-response-rewrite.json' with { type: 'json' }
import identityTheftPattern from './identity-theft-pattern.json' with { type: 'json' }
import identityTheftType from './identity-theft-type.json' with { type: 'json' }
import inputType from './input-type.json' with { type: 'json' }
import inputTypePattern from './input-type-pattern.json' with { type: 'json' }
import interfaceRoute from './interface-route.json' with { type: 'json' }
import jsonKeyProfile from './json-key-profile.json' with { type: 'json' }
import jsonProfile from './json-profile.json' with { type: 'json' }
import jsonSecurityPolicy from './json-security-policy.json' with { type: 'json' }
import jwtPublicKey from './jwt-public-key.json' with { type: 'json' }
import jwtUrlProfile from './jwt-url-profile.json' with { type: 'json' }
import jwtValidatorEndpoint from './jwt-validator-endpoint.json' with { type: 'json' }
import kerberosAuthenticationService from './kerberos-authentication-service.json' with { type: 'json' }
import kerberosDomainServer from './kerberos-domain-server.json' with { type: 'json' }
import ldapAuthenticationService from './ldap-authentication-service.json' with { type: 'json' }
import ldapDomainServer from './ldap-domain-server.json' with { type: 'json' }
import localGroup from './local-group.json' with { type: 'json' }
import localHost from './local-host.json' with { type: 'json' }
import localUser from './local-user.json' with { type: 'json' }
import moduleLogLevel from './module-log-level.json' with { type: 'json' }
import networkAcl from './network-acl.json' with { type: 'json' }
import networkInterface from './network-interface.json' with { type: 'json' }
import networkVlan from './network-vlan.json' with { type: 'json' }
import ntpServer from './ntp-server.json' with { type: 'json' }
import oidcAuthenticationService from './oidc-authentication-service.json' with { type: 'json' }
import oidcIdentityProvider from './oidc-identity-provider.json' with { type: 'json' }
import parameterOptimizer from './parameter-optimizer.json' with { type: 'json' }
import parameterProfile from './parameter-profile.json' with { type: 'json' }
import preferredClient from './preferred-client.json' with { type: 'json' }
import radiusAuthenticationService from './radius-authentication-service.json' with { type: 'json' }
import radiusServer from './radius-server.json' with { type: 'json' }
import rateControlPool from './rate-control-pool.json' with { type: 'json' }
import refererSpamPattern from './referer-spam-pattern.json' with { type: 'json' }
import report from './report.json' with { type: 'json' }
import responseBodyRewrite from './response-body-rewrite.json' with { type: 'json' }
import responsePage from './response-page.json' with { type: 'json' }
import rsaSecuridAuthenticationService from './rsa-securid-authentication-service.json' with { type: 'json' }
import rsaServer from './rsa-server.json' with { type: 'json' }
import ruleException from './rule-exception.json' with { type: 'json' }
import ruleGroup from './rule-group.json' with { type: 'json' }
import ruleGroupServer from './rule-group-server.json' with { type: 'json' }
import samlAuthenticationService from './saml-authentication-service.json' with { type: 'json' }
import samlIdentityProvider from './saml-identity-provider.json' with { type: 'json' }
import samlspIdentityProvider from './samlsp-identity-provider.json' with { type: 'json' }
import samlspService from './samlsp-service.json' with { type: 'json' }
import secondOpinion from './second-opinion.json' with { type: 'json' }
import secureBrowsingPolicy from './secure-browsing-policy.json' with { type: 'json' }
import securityPolicy from './security-policy.json' with { type: 'json' }
import selfSignedCertificate from './self-signed-certificate.json' with { type: 'json' }
import server from './server.json' with { type: 'json' }
import service from './service.json' with { type: 'json' }
import serviceGroup from './service-group.json' with { type: 'json' }
import sessionIdentifier from './session-identifier.json' with { type: 'json' }
import signedCertificate from './signed-certificate.json' with { type: 'json' }
import sourceNat from './source-nat.json' with { type: 'json' }
import staticRoute from './static-route.json' with { type: 'json' }
import subResourceIntegrity from './sub-resource-integrity.json' with { type: 'json' }
import syslogServer from './syslog-server.json' with { type: 'json' }
import system from './system.json' with { type: 'json' }
import trapReceiver from './trap-receiver.json' with { type: 'json' }
import trustedCaCertificate from './trusted-ca-certificate.json' with { type: 'json' }
import trustedHost from './trusted-host.json' with { type: 'json' }
import trustedHostGroup from './trusted-host-group.json' with { type: 'json' }
import trustedServerCertificate from './trusted-server-certificate.json' with { type: 'json' }
import urlAcl from './url-acl.json' with { type: 'json' }
import urlEncryptionRule from './url-encryption-rule.json' with { type: 'json' }
import urlOptimizer from './url-optimizer.json' with { type: 'json' }
import urlPolicy from './url-policy.json' with { type: 'json' }
import urlProfile from './url-profile.json' with { type: 'json' }
import urlTranslation from './url-translation.json' with { type: 'json' }
import user from './user.json' with { type: 'json' }
import virtualInterface from './virtual-interface.json' with { type: 'json' }
import vsite from './vsite.json' with { type: 'json' }
import webScrapingPolicy from './web-scraping-policy.json' with { type: 'json' }
import websocketPolicy from './websocket-policy.json' with { type: 'json' }
import whitelistedBot from './whitelisted-bot.json' with { type: 'json' }

/** The example of each kind, by its name. */
export const exampleFiles: Readonly<Record<string, ExampleFile>> = {
  'access-rule': accessRule,
  'action-policy': actionPolicy,
  'adaptive-profiling-rule': adaptiveProfilingRule,
  'admin-ip-range': adminIpRange,
  'administrator-role': administratorRole,
  'allow-or-deny-client': allowOrDenyClient,
  'attack-type': attackType,
  'attack-type-pattern': attackTypePattern,
  'authorization-policy': authorizationPolicy,
  'auto-system-acl': autoSystemAcl,
  bond,
  'bot-spam-type': botSpamType,
  'client-certificate-crl': clientCertificateCrl,
  'client-side-protection-rule': clientSideProtectionRule,
  cluster,
  'configuration-backup': configurationBackup,
  'control-center': controlCenter,
  'credential-server': credentialServer,
  'csp-policy': cspPolicy,
  'custom-ip-blocklist': customIpBlocklist,
  'custom-parameter-class': customParameterClass,
  'data-theft-protection': dataTheftProtection,
  'ddos-policy': ddosPolicy,
  'destination-nat': destinationNat,
  'external-ldap-service': externalLdapService,
  'external-radius-service': externalRadiusService,
  'form-spam-form': formSpamForm,
  'geo-pool': geoPool,
  'geoip-allowed-network': geoipAllowedNetwork,
  'geoip-blocked-network': geoipBlockedNetwork,
  'global-acl': globalAcl,
  'header-acl': headerAcl,
  'http-request-rewrite': httpRequestRewrite,
  'http-response-rewrite': httpResponseRewrite,
  'identity-theft-pattern': identityTheftPattern,
  'identity-theft-type': identityTheftType,
  'input-type': inputType,
  'input-type-pattern': inputTypePattern,
  'interface-route': interfaceRoute,
  'json-key-profile': jsonKeyProfile,
  'json-profile': jsonProfile,
  'json-security-policy': jsonSecurityPolicy,
  'jwt-public-key': jwtPublicKey,
  'jwt-url-profile': jwtUrlProfile,
  'jwt-validator-endpoint': jwtValidatorEndpoint,
  'kerberos-authentication-service': kerberosAuthenticationService,
  'kerberos-domain-server': kerberosDomainServer,
  'ldap-authentication-service': ldapAuthenticationService,
  'ldap-domain-server': ldapDomainServer,
  'local-group': localGroup,
  'local-host': localHost,
  'local-user': localUser,
  'module-log-level': moduleLogLevel,
  'network-acl': networkAcl,
  'network-interface': networkInterface,
  'network-vlan': networkVlan,
  'ntp-server': ntpServer,
  'oidc-authentication-service': oidcAuthenticationService,
  'oidc-identity-provider': oidcIdentityProvider,
  'parameter-optimizer': parameterOptimizer,
  'parameter-profile': parameterProfile,
  'preferred-client': preferredClient,
  'radius-authentication-service': radiusAuthenticationService,
  'radius-server': radiusServer,
  'rate-control-pool': rateControlPool,
  'referer-spam-pattern': refererSpamPattern,
  report,
  'response-body-rewrite': responseBodyRewrite,
  'response-page': responsePage,
  'rsa-securid-authentication-service': rsaSecuridAuthenticationService,
  'rsa-server': rsaServer,
  'rule-exception': ruleException,
  'rule-group': ruleGroup,
  'rule-group-server': ruleGroupServer,
  'saml-authentication-service': samlAuthenticationService,
  'saml-identity-provider': samlIdentityProvider,
  'samlsp-identity-provider': samlspIdentityProvider,
  'samlsp-service': samlspService,
  'second-opinion': secondOpinion,
  'secure-browsing-policy': secureBrowsingPolicy,
  'security-policy': securityPolicy,
  'self-signed-certificate': selfSignedCertificate,
  server,
  service,
  'service-group': serviceGroup,
  'session-identifier': sessionIdentifier,
  'signed-certificate': signedCertificate,
  'source-nat': sourceNat,
  'static-route': staticRoute,
  'sub-resource-integrity': subResourceIntegrity,
  'syslog-server': syslogServer,
  system,
  'trap-receiver': trapReceiver,
  'trusted-ca-certificate': trustedCaCertificate,
  'trusted-host': trustedHost,
  'trusted-host-group': trustedHostGroup,
  'trusted-server-certificate': trustedServerCertificate,
  'url-acl': urlAcl,
  'url-encryption-rule': urlEncryptionRule,
  'url-optimizer': urlOptimizer,
  'url-policy': urlPolicy,
  'url-profile': urlProfile,
  'url-translation': urlTranslation,
  user,
  'virtual-interface': virtualInterface,
  vsite,
  'web-scraping-policy': webScrapingPolicy,
  'websocket-policy': websocketPolicy,
  'whitelisted-bot': whitelistedBot,
}

import { signOnLinked } from '#commands/single-sign-on/mails/sign-on-linked'
import { SINGLE_SIGN_ON_ENDPOINTS } from '#contract/single-sign-on'
import { createGuardedFetch } from '#platform/outgoing/guarded-fetch'
import { addressFault } from '#platform/outgoing/public-network'
import { createOpenId } from '#platform/single-sign-on/open-id'
import { resolveTxt } from '#platform/single-sign-on/resolve-txt'
import { purgeSignOns } from '#platform/single-sign-on/sign-on-store'
import { makersOf } from '#platform/identity/makers'
import { createTeamStore } from '#platform/identity/team-store'
import { createTeam } from '#commands/identity/team'
import { area } from '../area.ts'
import { registerProviderRoutes } from './provider-routes.ts'
import { registerSignOnRoutes } from './sign-on-routes.ts'

export const singleSignOn = area({
  name: 'single-sign-on',
  summary: 'Single sign-on by OpenID Connect: identity providers and mail domains of a white-label, and signing in at them',
  endpoints: SINGLE_SIGN_ON_ENDPOINTS,
  uses: [
    'accounts',
    'commands.accounts',
    'db',
    'fingerprint',
    'limits',
    'links',
    'people',
    'queueMail',
    'secondPerson',
    'security',
    'sessions',
    'signOn',
    'whiteLabels',
  ],
  tables: [
    'identity.sign_on_attempts',
    'identity.sign_on_codes',
    'identity.sign_on_domains',
    'identity.sign_on_links',
    'identity.sign_on_providers',
    'identity.sign_on_sessions',
  ],
  mails: { 'sign-on-linked': signOnLinked },
  register(app, kit) {
    const { commands, config, db, derivedId, newId, now } = kit
    const allowPrivate = config.signOnPrivate
    const openId = createOpenId({ fetch: createGuardedFetch({ allowPrivate }), allowHttp: allowPrivate })
    const team = createTeam({ accounts: commands.accounts, store: createTeamStore(db), newId, derivedId, now })
    registerProviderRoutes(app, kit, { openId, resolveTxt, issuerFault: (url) => addressFault(url, allowPrivate) })
    registerSignOnRoutes(app, kit, {
      openId,
      team,
      makersOf: ({ whitelabelId, id: providerId }, domain) => makersOf(db, { whitelabelId, providerId, domain, tokenId: null }),
    })
  },
  housekeeping: ({ db, now }) => purgeSignOns(db, now),
})

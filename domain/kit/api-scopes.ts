/** Scopes of an API key, at most the rights of its user. Money, users, credentials and settings are never in a key's reach. */
export const API_SCOPES = ['read', 'campaigns', 'events', 'moderation'] as const
export type ApiScope = (typeof API_SCOPES)[number]

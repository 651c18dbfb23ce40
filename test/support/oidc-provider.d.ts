declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  type Account = { readonly accountId: string; readonly claims: () => Promise<Readonly<Record<string, unknown>>> }
  export default class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    callback(): RequestListener
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
  }
  type Grant = { addOIDCScope: (scope: string) => void; save: () => Promise<string> }
  export type GrantContext = {
    readonly oidc: {
      readonly client: { readonly clientId: string }
      readonly session: { readonly accountId: string }
      readonly provider: { readonly Grant: new (of: { readonly clientId: string; readonly accountId: string }) => Grant }
    }
  }
  export type FindAccount = (context: unknown, id: string) => Promise<Account | undefined>
}

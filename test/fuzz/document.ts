import type { Endpoint } from '#contract/http'

/** The subset of JSON Schema 2020-12 in the document. */
export type Schema = {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
}

type Parameter = { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Schema }
type Described = {
  readonly operationId: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
  readonly responses: Readonly<Record<string, unknown>>
}
export type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

/** One call of the document, with the endpoint of the contract, which checks its answers. */
export type Operation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly media: string | null
  readonly schema: Schema
  readonly statuses: ReadonlySet<number>
  readonly endpoint: Endpoint
}

/** Every operation of the document, in order. An operation without an endpoint in the contract is a fault of the document. */
export function operationsOf(document: Document, endpoints: readonly Endpoint[]): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const endpoint = endpoints.find(({ id }) => id === described.operationId)
      if (endpoint === undefined) throw new Error(`no endpoint is called ${described.operationId}`)
      const [media = null] = Object.keys(described.requestBody?.content ?? {})
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path,
        parameters: described.parameters,
        media,
        schema: media === null ? {} : (described.requestBody?.content[media]?.schema ?? {}),
        statuses: new Set(Object.keys(described.responses).map(Number)),
        endpoint,
      }
    }),
  )
}

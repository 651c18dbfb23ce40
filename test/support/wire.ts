import { openApi } from '#api/http/openapi'
import type { Area } from '#api/areas/area'

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}
type Content = { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }
type Operation = {
  readonly parameters: readonly {
    readonly name?: string
    readonly in?: string
    readonly required?: boolean
    readonly schema?: Schema
  }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** Text of everything that travels: each call with its method, path and fields, and each named schema. A line is a field. */
export function wireOf(areas: readonly Pick<Area, 'name' | 'summary' | 'endpoints'>[]): string {
  const { paths, components } = openApi(areas, '') as unknown as Document
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, ...fieldsOf(operation)]),
  )
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [`schema ${name}`, ...linesOf('', schema)])
  return [...calls, ...schemas]
    .map(([title = '', ...lines]) => [title, ...lines.map((line) => `  ${line}`)].join('\n'))
    .toSorted()
    .join('\n')
    .concat('\n')
}

function fieldsOf({ parameters, requestBody, responses }: Operation): readonly string[] {
  const named = parameters.flatMap(({ name, in: where = '', required = false, schema = {} }) =>
    name === undefined ? [] : linesOf(`${where} ${name}${required ? '' : '?'}`, schema),
  )
  return [...named, ...contentOf('body', requestBody), ...contentOf('answer', responses['200'])]
}

const contentOf = (title: string, one: Content | undefined): readonly string[] =>
  Object.entries(one?.content ?? {}).flatMap(([media, { schema }]) =>
    linesOf(media === 'application/json' ? title : `${title} (${media})`, schema),
  )

/** Fields of objects under their path; everything else is one line with its type. */
function linesOf(path: string, schema: Schema): readonly string[] {
  const inside = (name: string) => (path === '' ? name : `${path}.${name}`)
  if (schema.properties !== undefined)
    return Object.entries(schema.properties).flatMap(([name, field]) =>
      linesOf(inside(`${name}${schema.required?.includes(name) === true ? '' : '?'}`), field),
    )
  if (schema.items !== undefined) return linesOf(`${path}[]`, schema.items)
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf
  const large = parts?.filter((part) => part.properties !== undefined || part.items !== undefined) ?? []
  if (parts === undefined || large.length === 0) return [`${path}: ${typeOf(schema)}`.replace(/^: /, '')]
  const small = parts.filter((part) => !large.includes(part))
  return [
    ...(small.length > 0 ? [`${path}: ${small.map(typeOf).join(' or ')}`] : []),
    ...large.flatMap((part) => linesOf(path, part)),
  ]
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.replace('#/components/schemas/', '')
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (parts !== undefined) return parts.map(typeOf).join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (typeof schema.additionalProperties === 'object') return `map of ${typeOf(schema.additionalProperties)}`
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(typeOf).join(', ')}]`
  return [schema.type ?? 'any'].flat().join(' or ')
}

/** A collector of OpenTelemetry, and what every signal says about its process. */
export type Collector = {
  /** The base address of OTLP/HTTP, without a slash at its end: signals are below it, at `/v1/traces` and so on. */
  readonly url: string
  /** Sent with every request, such as a token. */
  readonly headers: Readonly<Record<string, string>>
  readonly resource: Readonly<Record<string, string>>
}

/** The names of the samplers are those of `OTEL_TRACES_SAMPLER`; the ratio, from 0 to 1, is for those that need one. */
export type Sampling = { readonly sampler: SamplerName; readonly ratio: number }

type Root = 'always_on' | 'always_off' | 'traceidratio'
export type SamplerName = Root | `parentbased_${Root}`

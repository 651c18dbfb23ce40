/**
 * Which specs `npm test` runs (the gate) and which the deep circle runs, where a folder has both. docs/testing.md says where a new
 * spec goes. Paths are relative to the repository.
 */

/** Over HTTP, or with properties, and more than the gate can afford: they start several products, sweep every call, or send mails. */
export const DEEP_SERVER = [
  'test/api/{access-matrix-rights,api-keys,attacks,audiences,audiences-dynamic,audit-webhooks,data-key,delivery-stream}.spec.ts',
  'test/api/{file-store-url,invoice-policies,invoices,large-saves,log-export,lost-second-factor,mails,memberships}.spec.ts',
  'test/api/{money,neighbours,notifications,privacy,replicate,review-findings,schedule,sealed-columns,service-credentials}.spec.ts',
  'test/api/{signing-keys,single-rights,staff-networks,stripe,stripe-faults,transparency-log,uploads}.spec.ts',
  'test/api/{web-filters,whole-invoices}.spec.ts',
  'test/contract/{clickhouse-fact-store,kurrent-event-store,postgres-fact-store,s3-files,security-receivers}.spec.ts',
  'test/fuzz/{found,fuzz}.spec.ts',
  'test/properties/{invoices,memberships}.spec.ts',
  'test/{helm,supply-chain}.spec.ts',
]

/** Rules of statements that only PostgreSQL proves, in seconds: no process is killed and no command line started. */
export const GATE_MEDIUM = [
  'test/medium/{announcements,answers,audience-rules,accounts,campaign-names,charged-hours,checkpoint,database-types}.spec.ts',
  'test/medium/{fact-groups,facts-migration,handover,invitations-at-once,jobs,migrations,money-locks,pages-and-totals}.spec.ts',
  'test/medium/{parking,person-keys,postgres-append,postgres-reader,progress,projector,read-models,replaced-generation}.spec.ts',
  'test/medium/{retention,review-holds,review-statistics,scan,second-looks,second-person,tracked-events,webhook-client}.spec.ts',
]

/** One story in a browser, and what only a browser shows: cookies, storage and the built files. */
export const GATE_E2E = ['test/e2e/{build,passkeys,session-cookie,story}.spec.ts']

/** They measure time or space, or have both cores at work themselves. */
export const ALONE = [
  'test/chaos/{chaos,mutants,neighbours,operators-day}.spec.ts',
  'test/medium/{leases,rebuild,roles-killed,kill-product,kill-writer,projector-thread,simulated-day,table-growth,warm-start}.spec.ts',
]

/** Specs of rooms and of `test/{contract,properties}` that need a database. */
export const NEEDS_POSTGRES = [
  'api/http/limits/limits.spec.ts',
  'test/contract/{payment-gateway,postgres-event-store,postgres-fact-store}.spec.ts',
  'test/properties/{commands-in-doubt,conversions,delivery,handler,invoices,memberships}.spec.ts',
]

/** Without a database, and longer than what they prove is worth in the gate. */
export const DEEP_UNIT = ['platform/threads/threads.spec.ts']

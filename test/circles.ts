/**
 * Which specs `npm test` runs (the gate) and which the deep circle runs, where a folder has both. docs/testing.md says where a new
 * spec goes. Paths are relative to the repository.
 */

/**
 * Over HTTP, or with properties, and more than the gate can afford: they start several products, sweep every call or user, or send mails.
 */
export const DEEP_SERVER = [
  'test/api/{access-matrix,access-matrix-rights,api-keys,as-of,attacks,audiences,audiences-dynamic,audit,audit-webhooks}.spec.ts',
  'test/api/{credentials-matrix,data-key,delivery-stream,file-store-url,invoice-policies,invoices,large-saves,library}.spec.ts',
  'test/api/{log-export,lost-second-factor,mails,memberships,metrics,money,neighbours,notifications,own-data,passkeys}.spec.ts',
  'test/api/{privacy,profile,replicate,review-findings,rule-lab,saved-reports,schedule,scim,sealed-columns,second-looks,served-audiences}.spec.ts',
  'test/api/{second-person-keys,second-person-money,second-person-roles,security-log,served-hosts,service-credentials,signing-keys,single-rights}.spec.ts',
  'test/api/{single-sign-on,staff-networks,step-up,stripe,stripe-faults,transparency-log,uploads,web-filters,whitelists}.spec.ts',
  'test/api/whole-invoices.spec.ts',
  'test/contract/{clickhouse-fact-store,kurrent-event-store,postgres-fact-store,s3-files,security-receivers}.spec.ts',
  'test/fuzz/{found,fuzz}.spec.ts',
  'test/properties/{delivery,handler,invoices,memberships}.spec.ts',
  'test/{helm,supply-chain}.spec.ts',
]

/** Rules of statements that only PostgreSQL proves, in seconds: no process is killed and no command line started. */
export const GATE_MEDIUM = [
  'test/medium/{announcements,answers,audience-rules,accounts,campaign-names,charged-hours,checkpoint,database-types}.spec.ts',
  'test/medium/{fact-groups,facts-migration,handover,invitations-at-once,jobs,migrations,money-locks,pages-and-totals}.spec.ts',
  'test/medium/{parking,person-keys,postgres-append,postgres-reader,progress,projector,replaced-generation}.spec.ts',
  'test/medium/{retention,review-holds,review-statistics,scan,second-looks,second-person,tracked-events,webhook-client}.spec.ts',
]

/** One story in a browser, and what only a browser shows: cookies, storage and the built files. */
export const GATE_E2E = ['test/e2e/{build,passkeys,session-cookie,story}.spec.ts']

/** They measure time or space, or have both cores at work themselves. */
export const ALONE = [
  'test/api/neighbours.spec.ts',
  'test/chaos/{chaos,mutants,neighbours,operators-day}.spec.ts',
  'test/medium/{leases,rebuild,roles-killed,kill-product,kill-writer,projector-thread,simulated-day,table-growth,warm-start}.spec.ts',
]

/** Specs of rooms and of `test/{contract,properties}` that need a database. */
export const NEEDS_POSTGRES = [
  'api/http/limits/limits.spec.ts',
  'platform/audience/{audience-names,audience-sets,audience-uploads}.spec.ts',
  'platform/identity/{api-keys,second-factor,sessions}.spec.ts',
  'platform/{campaign/labels,delivery/bid-samples,invoice/number-gap,views/list-views}.spec.ts',
  'projections/account/search.spec.ts',
  'test/contract/{payment-gateway,postgres-event-store,postgres-fact-store}.spec.ts',
  'test/properties/{commands-in-doubt,conversions,delivery,handler,invoices,memberships}.spec.ts',
]

/** Without a database, and longer than what they prove is worth in the gate. */
export const DEEP_UNIT = ['platform/threads/threads.spec.ts']

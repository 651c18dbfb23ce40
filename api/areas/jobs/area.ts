import { purgeJobs } from '#platform/jobs/job-store'
import { area } from '../area.ts'

/** The table of durable jobs. Each area declares its own kinds; the role `policies` carries them out. */
export const jobs = area({
  name: 'jobs',
  summary: 'Durable jobs of every subject',
  endpoints: [],
  uses: ['db'],
  tables: ['app.jobs'],
  housekeeping: ({ db }) => purgeJobs(db),
})

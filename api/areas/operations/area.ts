import { OPERATIONS_ENDPOINTS } from '#contract/operations'
import { queueFigures } from '#platform/health/figures'
import { discardJob, failedJobs, jobFigures, retryJobs } from '#platform/jobs/job-store'
import { liveProcesses } from '#platform/operations/processes'
import { listErrors } from '#platform/operations/server-errors'
import { leaseHolders } from '#projections/projector/leases'
import { listParked } from '#projections/projector/parked'
import { READ_MODELS } from '#projections/read-models'
import { area } from '../area.ts'
import { registerOperationsRoutes } from './operations-routes.ts'

export const operations = area({
  name: 'operations',
  summary: 'Processes, read models, queues and errors, for those who run the product',
  endpoints: OPERATIONS_ENDPOINTS,
  uses: ['db', 'errors', 'running', 'security'],
  tables: ['app.processes', 'app.server_errors'],
  register: (app, kit) => {
    const { db, running } = kit
    registerOperationsRoutes(app, kit, {
      jobFigures: () => jobFigures(db, running.jobKinds),
      queueFigures: () => queueFigures(db),
      failedJobs: (asked) => failedJobs(db, asked),
      retryJob: (job) => retryJobs(db, job),
      discardJob: (job) => discardJob(db, job),
      leaders: () =>
        leaseHolders(
          db,
          READ_MODELS.map(({ name }) => `projector ${name}`),
        ),
      parked: (name) => listParked(db, name),
      processes: (most) => liveProcesses(db, most),
      errors: (asked) => listErrors(db, asked),
    })
  },
})

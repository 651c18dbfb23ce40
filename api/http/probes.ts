const PROBES: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/metrics'])

/** Whether a route is asked every few seconds by balancers and monitoring, whose answers say little. */
export const isProbe = (route: string | undefined): boolean => route !== undefined && PROBES.has(route)

import { UserError } from '../../service/user-error.ts'
import { isLoopback, shownHost } from './place.ts'
import type { Place, ServerConfig } from './server-config.ts'

/** Refuses to be reached from elsewhere by anybody at all, or by passwords and cookies that anybody can read on the way. */
export function refuseUnsafePlace({ host, port }: Place, config: ServerConfig): void {
  if (isLoopback(host)) return
  const where = `${shownHost(host)}:${port} can be reached from other machines`
  if (config.oidc === null && config.proxy === null)
    throw new UserError(
      `${where}, and nothing says who may see what. Say how people sign in, in the file that --config names:
  address: https://jobs.example.org
  authentication:
    oidc: { issuer: https://id.example.org, client_id: jobmeter, client_secret_file: /etc/jobmeter/oidc-secret }
or, behind a proxy that signs people in:
  authentication:
    proxy: { header: X-Remote-User, trusted: [10.0.0.1] }
See docs/serve.md. To look from your own machine at a server on another: ssh -L 7411:127.0.0.1:7411 HOST`,
      'usage',
    )
  if (config.tls === null && config.address?.protocol !== 'https:')
    throw new UserError(
      `${where}, and what is sent could be read on the way. Set tls: { certificate: FILE, key: FILE }, or, where a proxy does that, address: https://…`,
      'usage',
    )
}

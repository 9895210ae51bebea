// The settings of a command that runs beside a server: what the environment does not say, the running server does.

import { type Environment, readSetting, readSettings } from '../config/read.ts';
import { findServer } from '../config/running-server.ts';

/** With HOST and PORT of the server in the data folder, and its public URL, unless the environment has them. */
export function settingsBeside(environment: Environment): Environment {
  const { isSet } = readSettings(environment);
  if (isSet('HOST') || isSet('PORT')) return environment;
  const running = findServer(readSetting(environment, 'TOOLGATE_DATA_DIR').value);
  if (running === null) return environment;
  const { host, port, public_url } = running;
  const named = isSet('TOOLGATE_PUBLIC_URL') ? {} : { TOOLGATE_PUBLIC_URL: public_url };
  return { ...environment, HOST: host, PORT: String(port), ...named };
}

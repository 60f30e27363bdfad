/** The services for which the recorded server can create incoming webhook bots; other releases have more. */
export const INTEGRATIONS: ReadonlySet<string> = new Set(
  (
    "airbrake airbyte alertmanager ansibletower appfollow appveyor azuredevops basecamp beanstalk beeminder bitbucket " +
    "bitbucket2 bitbucket3 buildbot canarytoken circleci clickup clubhouse codeship crashlytics delighted dialogflow " +
    "dropbox errbit flock freshdesk freshping freshstatus front gitea github githubsponsors gitlab gocd gogs gosquared " +
    "grafana greenhouse groove harbor hellosign helloworld heroku homeassistant ifttt insping intercom jira jotform " +
    "json librato lidarr linear mention netlify newrelic nextcloud notion opbeat opencollective openproject opensearch " +
    "opsgenie pagerduty papertrail patreon pingdom pivotal radarr raygun redmine reviewboard rhodecode rundeck semaphore " +
    "sentry shortcut slack slack_incoming sonarqube sonarr splunk statuspage stripe taiga teamcity thinkst transifex " +
    "travis trello updown uptimerobot wekan wordpress zabbix zapier zendesk"
  ).split(" "),
);
export const isIntegration = (name: string): boolean => INTEGRATIONS.has(name);

"""An organization that is managed with Terraform: the seed of the embedded cloud, and the state, version 4, of the same."""

import json
import string

ORGANIZATION = "100000000001"
# Of ten resources, one is not in the state.
EVERY = 10
CONDITION = {"title": "until 2030", "description": "", "expression": 'request.time < timestamp("2030-01-01T00:00:00Z")'}
# Family of resources, a role, a second one, the name in the cloud, and the attributes that name the resource in a state.
# $p is the project, $r the resource.
FAMILIES = (
    ("google_pubsub_topic", "pubsub.publisher", "pubsub.viewer", "//pubsub.googleapis.com/projects/$p/topics/$r",
     {"project": "$p", "topic": "projects/$p/topics/$r"}),
    ("google_pubsub_subscription", "pubsub.subscriber", "pubsub.viewer",
     "//pubsub.googleapis.com/projects/$p/subscriptions/$r", {"project": "$p", "subscription": "$r"}),
    ("google_storage_bucket", "storage.objectViewer", "storage.objectUser",
     "//storage.googleapis.com/projects/_/buckets/$p-$r", {"bucket": "b/$p-$r"}),
    ("google_service_account", "iam.serviceAccountUser", "iam.serviceAccountTokenCreator",
     "//iam.googleapis.com/projects/$p/serviceAccounts/$r@$p.iam.gserviceaccount.com",
     {"service_account_id": "projects/$p/serviceAccounts/$r@$p.iam.gserviceaccount.com"}),
    ("google_secret_manager_secret", "secretmanager.secretAccessor", "secretmanager.viewer",
     "//secretmanager.googleapis.com/projects/$p/secrets/$r", {"project": "$p", "secret_id": "projects/$p/secrets/$r"}),
    ("google_kms_crypto_key", "cloudkms.cryptoKeyDecrypter", "cloudkms.cryptoKeyEncrypter",
     "//cloudkms.googleapis.com/projects/$p/locations/global/keyRings/ring/cryptoKeys/$r",
     {"crypto_key_id": "projects/$p/locations/global/keyRings/ring/cryptoKeys/$r"}),
    ("google_artifact_registry_repository", "artifactregistry.reader", "artifactregistry.writer",
     "//artifactregistry.googleapis.com/projects/$p/locations/europe-west1/repositories/$r",
     {"project": "$p", "location": "europe-west1", "repository": "projects/$p/locations/europe-west1/repositories/$r"}),
    ("google_cloud_run_v2_service", "run.invoker", "run.viewer",
     "//run.googleapis.com/projects/$p/locations/europe-west1/services/$r",
     {"project": "$p", "location": "europe-west1", "name": "projects/$p/locations/europe-west1/services/$r"}),
    ("google_bigquery_table", "bigquery.dataViewer", "bigquery.dataEditor",
     "//bigquery.googleapis.com/projects/$p/datasets/d/tables/$r",
     {"project": "$p", "dataset_id": "d", "table_id": "$r"}),
)
# Families whose resources are documented to accept conditions.
CONDITIONAL = ("google_storage_bucket", "google_secret_manager_secret", "google_kms_crypto_key", "google_service_account",
               "google_cloud_run_v2_service", "google_bigquery_table")
SERVICES = ("artifactregistry", "bigquery", "cloudkms", "cloudresourcemanager", "iam", "pubsub", "run", "secretmanager",
            "storage")
GOOGLE = 'provider["registry.terraform.io/hashicorp/google"]'


class Organization:
    """Collects the policies of the cloud and the resources of the state."""

    def __init__(self, projects, resources):
        self.projects = projects
        self.policies = {}      # By full resource name: bindings.
        self.audits = {}        # By full resource name: audit settings.
        self.resources = []     # Of the state.
        self.grants = 0         # Of all policies.
        self.agents = 0         # Of them, of Google's service agents.
        self.open_policies = 0  # Policies that the state does not have.
        # Of buckets: the embedded search does not know their projects.
        self.unseen_policies = 0
        self.unseen_grants = 0
        self.boards = []        # Restriction policies of Datadog.
        self._containers()
        for i in range(projects):
            for j in range(resources):
                self._resource(i, j, f"p-{100 + i}", f"r-{j}")
        self._others()

    def _grant(self, target, bindings):
        self.policies.setdefault(target, []).extend(bindings)
        self.grants += sum(len(binding["members"]) for binding in bindings)

    def _state(self, kind, name, instances, module=None, provider=GOOGLE, mode="managed"):
        """`instances` are pairs of a key, None for a single instance, and the attributes."""
        made = {"mode": mode, "type": kind, "name": name, "provider": provider, "instances": []}
        if module:
            made["module"] = module
        for key, attributes in instances:
            one = {"schema_version": 0, "attributes": attributes, "sensitive_attributes": [],
                   "identity_schema_version": 0, "private": "bnVsbA==", "dependencies": ["data.google_project.each"]}
            if key is not None:
                one = {"index_key": key, **one}
            made["instances"].append(one)
        if instances and instances[0][0] is not None:
            made["each"] = "list" if isinstance(instances[0][0], int) else "map"
        self.resources.append(made)
        return made

    def _containers(self):
        root = f"//cloudresourcemanager.googleapis.com/organizations/{ORGANIZATION}"
        self._grant(root, [{"role": "roles/owner", "members": ["user:root@example.com"]}])
        self._state("google_organization_iam_member", "root",
                    [(None, member({"org_id": ORGANIZATION}, "roles/owner", "user:root@example.com"))])
        for number, shape in (("20", "binding"), ("21", "policy")):
            bindings = [{"role": "roles/viewer", "members": ["domain:example.com", "group:ops@example.com"]}]
            self._grant(f"//cloudresourcemanager.googleapis.com/folders/{number}", bindings)
            self._state(f"google_folder_iam_{shape}", "folder" + number,
                        [(None, of_shape(shape, {"folder": "folders/" + number}, bindings))])
        for i in range(self.projects):
            self._project(i, f"p-{100 + i}")

    def _project(self, i, name):
        target = "//cloudresourcemanager.googleapis.com/projects/" + name
        here = {"project": name}
        viewers = [{"role": "roles/viewer", "members": ["group:all@example.com", f"user:lead{i}@example.com"]}]
        self._grant(target, viewers)
        if i % 50 == 49:  # The whole policy is in the state, of which a service agent is no part.
            self._state("google_project_iam_policy", f"whole_{name}", [(None, of_shape("policy", here, viewers))])
            return
        self._state("google_project_iam_binding", "viewers", [("viewer", of_shape("binding", here, viewers))],
                    module=f'module.project["{name}"]')
        editors = [f"user:e{k}@example.com" for k in range(3)]
        self._grant(target, [{"role": "roles/pubsub.editor", "members": editors}])
        self._state("google_project_iam_member", "editors",
                    [(k, member(here, "roles/pubsub.editor", each)) for k, each in enumerate(editors)],
                    module=f'module.project["{name}"].module.team')
        if i % 10 == 0:
            self.audits[target] = [{"service": "allServices", "auditLogConfigs": [{"logType": "DATA_READ"}]}]
            self._state("google_project_iam_audit_config", f"audit_{name}", [(None, {
                **here, "service": "allServices", "id": f"{name}/audit_config/allServices", "etag": "BwYx",
                "audit_log_config": [{"log_type": "DATA_READ", "exempted_members": []}]})])
        agent = f"serviceAccount:service-{number_of(i)}@gcp-sa-pubsub.iam.gserviceaccount.com"
        self._grant(target, [{"role": "roles/pubsub.serviceAgent", "members": [agent]}])
        self.agents += 1

    def _resource(self, i, j, project, name):
        is_open = j % EVERY == EVERY - 1
        # A scan has to find what the state does not have.
        families = [each for each in FAMILIES if not is_open or each[0] != "google_storage_bucket"]
        family, role, second, target, place = families[(i + j) % len(families)]
        words = {"p": project, "r": name}
        place = {key: string.Template(value).substitute(words) for key, value in place.items()}
        target = string.Template(target).substitute(words)
        people = [f"user:u{(i + j + k) % 997}@example.com" for k in range(8)]
        shape = ("binding", "member", "policy", "both")[(i * 7 + j) % 4]
        bindings = [{"role": "roles/" + role, "members": people}]
        if shape == "both":
            bindings = [{"role": "roles/" + role, "members": people[:6]},
                        {"role": "roles/" + second, "members": people[6:]}]
            if family in CONDITIONAL:
                bindings[1]["condition"] = CONDITION
        self._grant(target, bindings)
        if is_open:
            self.open_policies += 1
            return
        if family == "google_storage_bucket":
            self.unseen_policies += 1
            self.unseen_grants += len(people)
        label = f"{project}_{name}".replace("-", "_")
        if shape == "member":
            self._state(f"{family}_iam_member", label, [(each, member(place, "roles/" + role, each)) for each in people],
                        module="module.access")
        elif shape == "both":
            for k, binding in enumerate(bindings):
                self._state(f"{family}_iam_binding", f"{label}_{k}", [(None, of_shape("binding", place, [binding]))])
        else:
            self._state(f"{family}_iam_{shape}", label, [(None, of_shape(shape, place, bindings))])

    def _others(self):
        """What a real state holds beside access: resources, data sources, and objects that wait for destruction."""
        self._state("google_project", "each", [(f"p-{100 + i}", {"project_id": f"p-{100 + i}", "number": number_of(i)})
                                               for i in range(self.projects)], mode="data")
        self._state("google_iam_policy", "folder21", [(None, {"policy_data": "{}", "binding": []})], mode="data")
        self._state("google_storage_bucket", "data", [(None, {"name": "data", "location": "EU"})])
        self._state("random_id", "suffix", [(None, {"hex": "0a1b"})],
                    provider='provider["registry.terraform.io/hashicorp/random"]')
        old = self._state("google_project_iam_member", "moved",
                          [(None, member({"project": "p-100"}, "roles/owner", "user:gone@example.com"))])
        old["instances"][0]["deposed"] = "00aa11bb"
        self.boards.append({"id": "dashboard:abc-def-ghi", "bindings": [
            {"relation": "editor", "principals": ["team:2b6b6a1d-6d0f-4c3c-8a0e-4a1c9a52e001"]}]})
        for number, board in enumerate(self.boards):
            self._state("datadog_restriction_policy", f"board{number}", [(None, {
                "id": board["id"], "resource_id": board["id"], "bindings": board["bindings"]})],
                provider='provider["registry.terraform.io/datadog/datadog"]')

    def seed(self):
        """Is JSON, which is YAML."""
        return json.dumps({
            "folders": [{"name": "folders/20"}, {"name": "folders/21", "parent": "folders/20"}],
            "projects": [{"id": f"p-{100 + i}", "number": number_of(i), "parent": f"folders/{20 + i % 2}"}
                         for i in range(self.projects)],
            "iamPolicies": {target: {"bindings": bindings, "auditConfigs": self.audits.get(target, [])}
                            for target, bindings in self.policies.items()},
            "restrictionPolicies": self.boards})

    def state(self):
        return json.dumps({"version": 4, "terraform_version": "1.11.4", "serial": 812,
                           "lineage": "3f5a1c9e-0d5e-8a55-6b1f-3b5b0c1a2d3e", "outputs": {},
                           "resources": self.resources, "check_results": None}, indent=2)


def number_of(i):
    return str(415104041000 + i)


def conditions(binding):
    """A list of none or one, as the provider stores."""
    return [binding["condition"]] if "condition" in binding else []


def member(place, role, who):
    target = next(iter(place.values()))
    return {**place, "role": role, "member": who, "condition": [], "etag": "BwYx", "id": f"{target}/{role}/{who}"}


def of_shape(shape, place, bindings):
    target = next(iter(place.values()))
    if shape == "policy":
        return {**place, "policy_data": json.dumps({"bindings": bindings}, separators=(",", ":")), "etag": "BwYx",
                "id": target}
    binding = bindings[0]
    return {**place, "role": binding["role"], "members": binding["members"], "condition": conditions(binding),
            "etag": "BwYx", "id": f"{target}/{binding['role']}"}
